package sweep

import (
	"errors"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"strings"
)

// This file owns the mutations of Go.

// place is a marked node with what is around it.
type place struct {
	set      *token.FileSet
	text     []byte
	node     ast.Node
	function *ast.FuncType   // the innermost around the node
	choice   *ast.SwitchStmt // around a case
	element  bool            // the node is an element of a composite literal
}

// at returns the offset of a position.
func (p *place) at(pos token.Pos) int { return p.set.Position(pos).Offset }

// source returns the text of a node.
func (p *place) source(n ast.Node) string { return string(p.text[p.at(n.Pos()):p.at(n.End())]) }

// mutateGo makes the mutants of a mark in Go.
func mutateGo(m *Mark, text []byte) ([]*Mutant, error) {
	set := token.NewFileSet()
	file, err := parser.ParseFile(set, m.File, text, parser.SkipObjectResolution)
	if err != nil {
		return nil, err
	}
	p := findPlace(set, text, file, m.Target)
	if p == nil {
		return nil, errors.New("the mark stands above no statement, case, element or function")
	}
	b := &builder{mark: m, place: p}
	switch n := p.node.(type) {
	case *ast.FuncDecl:
		b.function(n)
	case *ast.IfStmt:
		b.condition("the condition is never true", n.Cond)
		if n.Init != nil && n.Else == nil {
			b.add("dropped", "the statement is not there, with what it calls", n.Pos(), n.End(), "")
		}
		b.flips(n.Cond)
	case *ast.CaseClause:
		b.clause(n)
	case *ast.ForStmt:
		b.add("removed", "the loop is left at once", n.Body.Lbrace, n.Body.Lbrace+1, "{\nbreak\n")
	case *ast.RangeStmt:
		b.add("removed", "the loop is left at once", n.Body.Lbrace, n.Body.Lbrace+1, "{\nbreak\n")
	case *ast.ReturnStmt:
		b.returning(n)
	case *ast.ExprStmt, *ast.DeferStmt, *ast.GoStmt, *ast.IncDecStmt, *ast.SendStmt:
		b.add("dropped", "the statement is not there", n.Pos(), n.End(), "")
	case *ast.AssignStmt:
		if n.Tok != token.DEFINE {
			b.add("dropped", "the statement is not there", n.Pos(), n.End(), "")
		}
		for _, value := range n.Rhs {
			b.flips(value)
		}
	default:
		if p.element {
			b.element(n)
		}
	}
	if len(b.mutants) == 0 {
		return nil, errors.New("there is no mutation of what the mark stands above")
	}
	b.number()
	return b.mutants, nil
}

// findPlace returns the outermost statement, case, element or function that begins
// on a line.
func findPlace(set *token.FileSet, text []byte, file *ast.File, line int) *place {
	var found *place
	var around []ast.Node
	ast.Inspect(file, func(n ast.Node) bool {
		if n == nil {
			around = around[:len(around)-1]
			return true
		}
		if found == nil && set.Position(n.Pos()).Line == line {
			p := &place{set: set, text: text, node: n}
			for _, outer := range around {
				switch o := outer.(type) {
				case *ast.FuncDecl:
					p.function = o.Type
				case *ast.FuncLit:
					p.function = o.Type
				case *ast.SwitchStmt:
					p.choice = o
				}
			}
			if literal, ok := parent(around).(*ast.CompositeLit); ok {
				p.element = n != literal.Type
			}
			_, isStatement := n.(ast.Stmt)
			_, isFunction := n.(*ast.FuncDecl)
			if _, block := n.(*ast.BlockStmt); isStatement && !block || isFunction || p.element {
				found = p
			}
		}
		around = append(around, n)
		return true
	})
	return found
}

func parent(around []ast.Node) ast.Node {
	if len(around) == 0 {
		return nil
	}
	return around[len(around)-1]
}

// builder collects the mutants of one mark.
type builder struct {
	mark    *Mark
	place   *place
	mutants []*Mutant
}

func (b *builder) add(name, what string, start, end token.Pos, by string) {
	b.mutants = append(b.mutants, &Mutant{Mark: b.mark, Name: name, What: what, Text: replaced(b.place.text, b.place.at(start), b.place.at(end), by)})
}

// condition makes a condition that is never true, and uses what the real one uses.
func (b *builder) condition(what string, condition ast.Expr) {
	b.add("removed", what, condition.Pos(), condition.End(), "false && ("+b.place.source(condition)+")")
}

// opposite are the operators that are turned around.
var opposite = map[token.Token]token.Token{
	token.LSS: token.GEQ, token.GEQ: token.LSS, token.GTR: token.LEQ, token.LEQ: token.GTR,
	token.EQL: token.NEQ, token.NEQ: token.EQL, token.LAND: token.LOR, token.LOR: token.LAND,
}

// flips turns each operator of an expression around; the whole, where it has none.
func (b *builder) flips(expression ast.Expr) {
	before := len(b.mutants)
	ast.Inspect(expression, func(n ast.Node) bool {
		switch e := n.(type) {
		case *ast.FuncLit:
			return false
		case *ast.BinaryExpr:
			if other, ok := opposite[e.Op]; ok {
				b.add("flipped", fmt.Sprintf("%s becomes %s in %s", e.Op, other, oneLine(b.place.source(e))), e.OpPos, e.OpPos+token.Pos(len(e.Op.String())), other.String())
			}
		}
		return true
	})
	_, isIf := b.place.node.(*ast.IfStmt)
	_, isCase := b.place.node.(*ast.CaseClause)
	if len(b.mutants) == before && (isIf || isCase) {
		b.add("flipped", "the condition is turned around", expression.Pos(), expression.End(), "!("+b.place.source(expression)+")")
	}
}

// clause mutates a case of a switch.
func (b *builder) clause(n *ast.CaseClause) {
	if b.place.choice == nil || b.place.choice.Tag != nil || len(n.List) == 0 {
		b.add("removed", "the case is not there", n.Pos(), n.End(), "")
		return
	}
	first, last := n.List[0], n.List[len(n.List)-1]
	var conditions []string
	for _, condition := range n.List {
		conditions = append(conditions, "false && ("+b.place.source(condition)+")")
	}
	b.add("removed", "the case is never taken", first.Pos(), last.End(), strings.Join(conditions, ", "))
	for _, condition := range n.List {
		b.flips(condition)
	}
}

// returning turns what is returned around, and makes an error that a call returns nil.
func (b *builder) returning(n *ast.ReturnStmt) {
	var types []string
	if b.place.function != nil && b.place.function.Results != nil {
		for _, field := range b.place.function.Results.List {
			for range max(len(field.Names), 1) {
				types = append(types, b.place.source(field.Type))
			}
		}
	}
	for i, result := range n.Results {
		if _, call := result.(*ast.CallExpr); call && len(types) == len(n.Results) && types[i] == "error" {
			b.add("dropped", "the call is not made, and there is no error", result.Pos(), result.End(), "nil")
			continue
		}
		b.flips(result)
	}
}

// function makes a function that does nothing.
func (b *builder) function(n *ast.FuncDecl) {
	if n.Body == nil {
		return
	}
	var body strings.Builder
	var names []string
	if n.Type.Results != nil {
		for _, field := range n.Type.Results.List {
			for range max(len(field.Names), 1) {
				name := fmt.Sprintf("zero%d", len(names))
				names = append(names, name)
				fmt.Fprintf(&body, "\tvar %s %s\n", name, b.place.source(field.Type))
			}
		}
	}
	fmt.Fprintf(&body, "\treturn %s\n", strings.Join(names, ", "))
	b.add("removed", "the function does nothing", n.Body.Lbrace, n.Body.End(), "{\n"+body.String()+"}")
}

// element leaves an element of a list out, with the comma behind it.
func (b *builder) element(n ast.Node) {
	end := b.place.at(n.End())
	rest := b.place.text[end:]
	for i, c := range rest {
		if c == ',' {
			end += i + 1
			break
		}
		if c != ' ' && c != '\t' {
			break
		}
	}
	b.mutants = append(b.mutants, &Mutant{Mark: b.mark, Name: "removed", What: "the element is not there", Text: replaced(b.place.text, b.place.at(n.Pos()), end, "")})
}

// number tells the mutants apart that have the same name.
func (b *builder) number() {
	count := map[string]int{}
	for _, m := range b.mutants {
		count[m.Name]++
	}
	seen := map[string]int{}
	for _, m := range b.mutants {
		if name := m.Name; count[name] > 1 {
			seen[name]++
			m.Name = fmt.Sprintf("%s-%d", name, seen[name])
		}
	}
}

func oneLine(text string) string { return strings.Join(strings.Fields(text), " ") }

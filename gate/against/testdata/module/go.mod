module github.com/isogate/isogate

go 1.26

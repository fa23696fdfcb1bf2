// Totals an order: an ES module in TypeScript that imports a virtual module.
//
//   isogate run examples/invoice.ts --module money=examples/money.ts --input @examples/order.json
import { format, sum } from 'money';

enum Vat { Reduced = 7, Full = 19 }

interface Line { what: string; cents: number; count: number; book?: boolean }

function group<K, V>(values: V[], key: (value: V) => K): Map<K, V[]> {
  const groups = new Map<K, V[]>();
  for (const value of values) {
    const members = groups.get(key(value)) ?? [];
    members.push(value);
    groups.set(key(value), members);
  }
  return groups;
}

export default ({ lines }: { lines: Line[] }) => {
  const byRate = group(lines, (line) => (line.book ? Vat.Reduced : Vat.Full));
  const net = sum(lines.map((line) => line.cents * line.count));
  const tax = sum([...byRate].map(([rate, members]) =>
    Math.round((sum(members.map((line) => line.cents * line.count)) * rate) / 100)));
  console.log(`${lines.length} lines at ${byRate.size} rates`);
  return { net: format(net), tax: format(tax), total: format(net + tax) };
};

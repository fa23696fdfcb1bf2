// Adds the numbers below n by way of a tool, one call after the other.
//
//   isogate run examples/sum.js --input '{"n":100}' --tool tools.add=./examples/add.sh
async ({ n }) => {
  let sum = 0;
  for (let i = 0; i < n; i++) sum = await tools.add({ a: sum, b: i });
  return sum;
};

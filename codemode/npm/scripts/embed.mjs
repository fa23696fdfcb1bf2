// Writes src/guest.ts, which holds the text of ../guest.js, the guest's side of the dialect. With
// --check it writes nothing and fails when the two differ.
import { readFileSync, writeFileSync } from 'node:fs';

const from = new URL('../../guest.js', import.meta.url);
const to = new URL('../src/guest.ts', import.meta.url);
const text = `// The guest's side of the dialect: codemode/guest.js, which "npm run embed" puts here.

export const guest = ${JSON.stringify(readFileSync(from, 'utf8'))};
`;
if (process.argv[2] !== '--check') {
  writeFileSync(to, text);
} else if (readFileSync(to, 'utf8') !== text) {
  console.error('src/guest.ts is not the text of ../guest.js: run npm run embed');
  process.exit(1);
}

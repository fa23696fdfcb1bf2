// Amounts in cents. Imported by invoice.ts under the name that --module gives it.
export const sum = (amounts: number[]): number => amounts.reduce((total, amount) => total + amount, 0);

export const format = (cents: number): string => `${Math.floor(cents / 100)}.${String(cents % 100).padStart(2, '0')}`;

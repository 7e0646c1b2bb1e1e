/**
 * How often a test repeats something: `large` times in `npm run test:soak`, `small` times in
 * `npm test`. The rest of the test is the same.
 */
export const soak = (large: number, small: number): number => (process.env.SOAK ? large : small)

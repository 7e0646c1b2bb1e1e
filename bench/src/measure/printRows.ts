/** A figure by name: whether it keeps its limit, and both in words. */
export type Row = readonly [name: string, kept: boolean, detail: string]

/** Prints each row as ok or failed; the process ends with 1 if one has failed. */
export function printRows(rows: readonly Row[]): void {
  for (const [name, kept, detail] of rows)
    console.log(`${kept ? 'ok    ' : 'failed'} ${name}: ${detail}`)
  if (!rows.every(([, kept]) => kept)) process.exitCode = 1
}

export const kB = (bytes: number) => `${(bytes / 1000).toFixed(1)} kB`

/** A measurement: its name, whether it is within its limit, and a description of both. */
export type Row = readonly [name: string, kept: boolean, detail: string]

/** Prints each row as ok or failed. The process exits with 1 if any row has failed. */
export function printRows(rows: readonly Row[]): void {
  for (const [name, kept, detail] of rows)
    console.log(`${kept ? 'ok    ' : 'failed'} ${name}: ${detail}`)
  if (!rows.every(([, kept]) => kept)) process.exitCode = 1
}

export const kB = (bytes: number) => `${(bytes / 1000).toFixed(1)} kB`

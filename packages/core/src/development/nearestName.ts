/** The name among `names` that `given` most likely misspells; undefined if none is near. */
export function nearestName(given: string, names: readonly string[]): string | undefined {
  const lower = given.toLowerCase()
  const ranked = names
    .map((name) => ({ name, edits: countEdits(lower, name.toLowerCase()) }))
    .sort((one, other) => one.edits - other.edits)
  const [best] = ranked
  return best && best.edits <= Math.max(1, given.length / 3) ? best.name : undefined
}

/** The fewest characters to insert, remove or replace to turn `from` into `to` (Levenshtein). */
function countEdits(from: string, to: string): number {
  let above = Array.from({ length: to.length + 1 }, (_, index) => index)
  for (const [row, character] of [...from].entries()) {
    const line = [row + 1]
    for (let column = 1; column <= to.length; column += 1)
      line.push(
        Math.min(
          (line[column - 1] as number) + 1,
          (above[column] as number) + 1,
          (above[column - 1] as number) + (character === to[column - 1] ? 0 : 1),
        ),
      )
    above = line
  }
  return above[to.length] as number
}

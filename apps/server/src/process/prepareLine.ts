import { type Level, type Logger, pino } from 'pino'

/** Internals of a pino logger, by the symbols that it exports for integrations. */
type Inside = {
  /** Its bindings as JSON, each with a comma before it. */
  readonly [pino.symbols.chindingsSym]: string
  readonly [pino.symbols.streamSym]: { write(line: string): void }
  /** The time as JSON, in the same form. */
  readonly [pino.symbols.timeSym]: () => string
}

type Line = {
  readonly level: Level
  readonly bindings: Readonly<Record<string, unknown>>
  readonly message: string
}

/**
 * Prepares log lines that differ in their time and `values` only: the members of a JSON object, at
 * least one. The lines are the same as pino's, which would format all values of each line again.
 * `log` must not have serializers, mixins or hooks.
 */
export function prepareLine(
  log: Logger,
  { level, bindings, message }: Line,
): (values: string) => void {
  const child = log.child(bindings)
  if (!child.isLevelEnabled(level)) return () => {}
  const inside = child as unknown as Inside
  const shared = inside[pino.symbols.chindingsSym]
  const stream = inside[pino.symbols.streamSym]
  const getTime = inside[pino.symbols.timeSym]
  const start = `{"level":${child.levels.values[level]}`
  const end = `,"msg":${JSON.stringify(message)}}\n`
  return (values) => stream.write(`${start}${getTime()}${shared},${values}${end}`)
}

import { type Logger, pino } from 'pino'

// The rest is written when the process ends. If no reader takes the log, everything beyond
// `maxLength` is lost.
const options = { minLength: 1, maxLength: 4_194_304, periodicFlush: 100, sync: false }

/**
 * A single write costs as much as many lines, so lines are written together, after `periodicFlush`
 * at the latest.
 */
const maxGathered = 65_536

/**
 * A log on the standard output. Lines that cannot be written, for example on a full disk, are lost,
 * and the server continues.
 */
export function openLog(level: string): Logger {
  const output = pino.destination(options)
  const flush = output.flush.bind(output)
  const flushSync = output.flushSync.bind(output)
  let gathered = ''
  let failing = false
  const handOver = () => {
    const lines = gathered
    gathered = ''
    if (lines !== '') output.write(lines)
  }
  output.on('error', () => {
    failing = true
  })
  output.on('write', () => {
    failing = false
  })
  output.flush = (done) => {
    handOver()
    flush(done)
  }
  output.flushSync = () => {
    handOver()
    // Otherwise it would retry forever when the process ends.
    if (!failing) flushSync()
  }
  const write = (line: string) => {
    gathered += line
    if (gathered.length >= maxGathered) handOver()
  }
  return pino({ level, base: null }, { write })
}

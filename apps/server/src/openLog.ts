import { type Logger, pino } from 'pino'

// One write for many lines costs a busy server less; what is left is written when the process ends. More than `maxLength`
// waits only where nobody takes it, and is lost.
const gathered = { minLength: 12_288, maxLength: 4_194_304, periodicFlush: 100, sync: false }

/** A log on the standard output. What cannot be written there, as on a full disk, is lost, and the server goes on. */
export function openLog(level: string): Logger {
  const destination = pino.destination(gathered)
  const flushSync = destination.flushSync.bind(destination)
  let failing = false
  destination.on('error', () => {
    failing = true
  })
  destination.on('write', () => {
    failing = false
  })
  // At the end of the process it would try for ever.
  destination.flushSync = () => {
    if (!failing) flushSync()
  }
  return pino({ level, base: null }, destination)
}

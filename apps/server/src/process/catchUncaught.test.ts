import { spawn } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'

const module = fileURLToPath(new URL('./catchUncaught.ts', import.meta.url))

/**
 * Runs `cause` in a process with the last line of defense; `log` is false until the server has
 * started. Reports whether the process is still alive after it has logged `lines`.
 */
async function run(cause: string, { log = true, lines = 0 } = {}) {
  const script = `
    import { connect } from 'node:net'
    const { catchUncaught } = await import(${JSON.stringify(module)})
    let said = 0
    const isAlive = () => { console.log('alive'); process.exit(0) }
    const say = (level) => (fields, text) => {
      console.log(level, fields.origin, text)
      if (++said === ${lines}) setTimeout(isAlive, 100)
    }
    const logger = { error: say('error'), fatal: say('fatal') }
    const stop = (error) => { console.log('stop', error.message); setImmediate(() => process.exit(1)) }
    catchUncaught({ log: () => ${log} ? logger : undefined, stop })
    ${cause}`
  const child = spawn(
    process.execPath,
    ['--import', 'tsx', '--input-type', 'module', '--eval', script],
    { stdio: ['ignore', 'pipe', 'ignore'] },
  )
  let printed = ''
  child.stdout.on('data', (chunk) => {
    printed += chunk
  })
  const code = await new Promise((resolve) => child.once('close', resolve))
  return { code, lines: printed.trim().split('\n') }
}

test('behavior: a connection error without a listener ends nothing', async () => {
  const cause = "connect(1, '127.0.0.1'); connect(1, '127.0.0.1')"
  const { code, lines } = await run(cause, { lines: 2 })
  const line = 'error uncaughtException uncaught error, the server continues'
  expect(lines).toEqual([line, line, 'alive'])
  expect(code).toBe(0)
})

test('behavior: an unhandled rejection ends nothing', async () => {
  const { code, lines } = await run("Promise.reject(new Error('unheard'))", { lines: 1 })
  expect(lines).toEqual(['error unhandledRejection uncaught error, the server continues', 'alive'])
  expect(code).toBe(0)
})

test('error: what our own code threw stops the server in good order, once', async () => {
  const thrown = "for (const _ of [1, 2]) setImmediate(() => { throw new Error('a mistake') })"
  const { code, lines } = await run(thrown)
  const line = 'fatal uncaughtException uncaught error, the server stops'
  expect(lines).toEqual([line, 'stop a mistake', line])
  expect(code).toBe(1)
})

test('error: before there is a log any of them stops the start', async () => {
  const { code, lines } = await run("connect(1, '127.0.0.1')", { log: false })
  expect(lines).toEqual(['stop connect ECONNREFUSED 127.0.0.1:1'])
  expect(code).toBe(1)
})

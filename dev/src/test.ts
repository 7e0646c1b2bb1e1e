import { spawn } from 'node:child_process'
import { mkdirSync, rmSync } from 'node:fs'
import { availableParallelism } from 'node:os'
import { parseArgs } from 'node:util'
import { ensureHeadlessShell } from './gates/ensureChromium.ts'
import { ensureRedis } from './gates/ensureRedis.ts'
import { root } from './root.ts'
import { type Count, reports } from './suites/counts.ts'
import { type Changes, gates, readChanges, type Step, suites } from './suites/steps.ts'

type Result = Count & { name: string; seconds: number }
type Summary = { seconds: number; changes: Changes | undefined }

const since = (startedAtMs: number) => (Date.now() - startedAtMs) / 1000

/**
 * `npm test -- [WORD] [--changed [COMMIT]]`: the steps whose name contains the word. `--changed`:
 * only what differs from the commit, by default HEAD.
 */
function readArguments() {
  const args = process.argv.slice(2)
  const at = args.indexOf('--changed')
  const { values, positionals } = parseArgs({
    args: at >= 0 && !args[at + 1] ? [...args, 'HEAD'] : args,
    options: { changed: { type: 'string' } },
    allowPositionals: true,
  })
  const { changed } = values
  return { word: positionals[0] ?? '', changes: changed ? readChanges(changed) : undefined }
}

/**
 * Runs a command and returns its exit code. Its output goes to `write`, by default to the console.
 */
function run({ command: [command = '', ...args], env }: Step, write?: (text: string) => void) {
  return new Promise<number>((done) => {
    const child = spawn(command, args, {
      cwd: root,
      env: { ...process.env, ...env },
      stdio: write ? ['ignore', 'pipe', 'pipe'] : 'inherit',
    })
    for (const stream of [child.stdout, child.stderr])
      stream?.setEncoding('utf8').on('data', (text: string) => write?.(text))
    child.once('error', (error) => {
      console.error(String(error))
      done(1)
    })
    child.once('close', (code) => done(code ?? 1))
  })
}

async function runStep(
  step: Step,
  { changes, write }: { changes: Changes | undefined; write?: (text: string) => void },
): Promise<Result> {
  const { name, count } = step
  const startedAtMs = Date.now()
  const narrowed = changes && step.narrow ? step.narrow(changes) : []
  if (!narrowed) {
    console.log(`── ${name}: the changes touch nothing of it`)
    return { name, passed: 0, failed: 0, seconds: since(startedAtMs) }
  }
  const command = [...step.command, ...narrowed]
  const code = isPrepared(step) ? await run({ ...step, command }, write) : 1
  const counted = count?.(code) ?? { passed: code === 0 ? 1 : 0, failed: code === 0 ? 0 : 1 }
  return { ...counted, name, seconds: since(startedAtMs) }
}

const start = ({ name }: Step) => console.log(`\n── ${name}`)

const finish = ({ name, passed, failed, seconds }: Result) =>
  console.log(`── ${name}: ${passed} passed, ${failed} failed in ${seconds.toFixed(1)} s`)

/**
 * Runs as many gates at once as there are processors. The output of a gate appears in one piece
 * when it ends.
 */
async function runGates(steps: readonly Step[], changes: Changes | undefined): Promise<Result[]> {
  const results: Result[] = []
  const queue = steps.entries()
  const work = async () => {
    for (const [index, step] of queue) {
      let output = ''
      const result = await runStep(step, {
        changes,
        write: (text) => {
          output += text
        },
      })
      start(step)
      process.stdout.write(output)
      finish(result)
      results[index] = result
    }
  }
  await Promise.all(Array.from({ length: availableParallelism() }, work))
  return results
}

/** Runs the suites one after the other. */
async function runSuites(steps: readonly Step[], changes: Changes | undefined): Promise<Result[]> {
  const results: Result[] = []
  for (const step of steps) {
    start(step)
    const result = await runStep(step, { changes })
    finish(result)
    results.push(result)
  }
  return results
}

function isPrepared({ prepare }: Step): boolean {
  try {
    prepare?.()
    return true
  } catch (error) {
    console.error(String(error))
    return false
  }
}

function printSummary(results: readonly Result[], { seconds, changes }: Summary): void {
  const failures = results
    .filter(({ failed }) => failed > 0)
    .flatMap(({ name, names = [] }) => [name, ...names.map((one) => `  ${one}`)])
  if (failures.length > 0) console.log(`\nFailed:\n${failures.join('\n')}`)
  console.log('')
  for (const { name, seconds } of results)
    console.log(`${seconds.toFixed(1).padStart(7)} s  ${name}`)
  console.log(`${seconds.toFixed(1).padStart(7)} s  in all`)
  const sum = (key: 'passed' | 'failed') => results.reduce((total, one) => total + one[key], 0)
  console.log(`\n${sum('passed')} passed, ${sum('failed')} failed`)
  // A run without tests fails, unless the changes touch nothing.
  const isEmpty = changes === undefined && sum('passed') === 0
  process.exitCode = sum('failed') > 0 || isEmpty ? 1 : 0
}

/** Runs the gates and then the suites, or only the steps that the arguments select. */
async function main() {
  const startedAtMs = Date.now()
  const { word, changes } = readArguments()
  rmSync(reports, { recursive: true, force: true })
  mkdirSync(reports, { recursive: true })
  process.env.CHROMIUM = await ensureHeadlessShell()
  process.env.REDIS_SERVER = await ensureRedis()
  const isWanted = ({ name }: Step) => name.includes(word)
  const results = [
    ...(await runGates(gates.filter(isWanted), changes)),
    ...(await runSuites(suites.filter(isWanted), changes)),
  ]
  printSummary(results, { seconds: since(startedAtMs), changes })
}

await main()

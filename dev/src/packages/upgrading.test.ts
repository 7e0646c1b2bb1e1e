import { execFile } from 'node:child_process'
import { copyFile, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, expect, test } from 'vitest'

const root = fileURLToPath(new URL('../../..', import.meta.url))
const fixtures = fileURLToPath(new URL('upgrading', import.meta.url))
const upgrading = join(root, 'docs/upgrading.md')

/** A compiler error: its row in the file, the code of this row, and the message. */
type Fault = { row: number; code: string; message: string }

let folder: string

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'latchkey-upgrading-'))
  await symlink(join(root, 'node_modules'), join(folder, 'node_modules'))
  for (const name of ['before', 'after'])
    await copyFile(join(fixtures, `${name}.txt`), join(folder, `${name}.tsx`))
})
afterAll(() => rm(folder, { recursive: true, force: true }))

/** Type-checks an app as its developer does, against these packages. */
async function compile(name: string): Promise<Fault[]> {
  const config = {
    extends: join(root, 'tsconfig.base.json'),
    compilerOptions: {
      lib: ['ES2023', 'DOM', 'DOM.Iterable'],
      jsx: 'react-jsx',
      types: ['node', 'vite/client'],
    },
    files: [`${name}.tsx`],
  }
  const project = join(folder, `${name}.json`)
  await writeFile(project, JSON.stringify(config))
  const tsc = join(root, 'node_modules/.bin/tsc')
  const output = await new Promise<string>((resolve) => {
    execFile(tsc, ['-p', project, '--pretty', 'false'], { cwd: folder }, (_, stdout) =>
      resolve(stdout),
    )
  })
  const lines = (await readFile(join(folder, `${name}.tsx`), 'utf8')).split('\n')
  // Apps compile against the declarations of the packages; their sources are not the app's.
  const faults = new RegExp(`^${name}\\.tsx\\((\\d+),\\d+\\): error (.*)$`, 'gm')
  return [...output.matchAll(faults)].map(([, row, message = '']) => ({
    row: Number(row),
    code: lines[Number(row) - 1] ?? '',
    message,
  }))
}

/** The identifiers in code that the document names, outside the last column of its tables. */
async function readNames(): Promise<Set<string>> {
  const text = await readFile(upgrading, 'utf8')
  const before = text
    .split('\n')
    .map((line) => (line.startsWith('|') ? line.split('|').slice(0, -2).join('|') : line))
    .join('\n')
  const code = [...before.matchAll(/`([^`]+)`/g)].map(([, span]) => span)
  return new Set(code.join(' ').match(/[A-Za-z]\w+/g))
}

test('default: an app that followed docs/upgrading.md compiles, and only its networks are accepted', async () => {
  expect(await compile('after')).toEqual([])
}, 120_000)

test('behavior: each line of an earlier app that no longer compiles has its name in docs/upgrading.md', async () => {
  const faults = await compile('before')
  const names = await readNames()
  const unexplained = faults.filter(
    ({ code, message }) =>
      !(code.match(/[A-Za-z]\w+/g) ?? []).some((name) => names.has(name)) &&
      ![...names].some((name) => message.includes(`'${name}'`)),
  )
  expect(unexplained).toEqual([])
  expect(faults.length).toBeGreaterThan(10)
}, 120_000)

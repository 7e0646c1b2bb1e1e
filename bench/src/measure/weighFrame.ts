import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { build, type Rolldown } from 'vite'
import { closure } from '../buildClient.ts'
import { kB, type Row } from './printRows.ts'
import {
  type ApprovalsWeight,
  approvalRows,
  collectLazy,
  weighApprovals,
} from './weighApprovals.ts'

/** Gzipped bytes that the secure frame loads. */
export type FrameWeight = {
  /** With its page. */
  page: number
  /** In total until the user can type the first code. The key worker starts after the code. */
  login: number
  /** The font in its served form. */
  font: number
  worker: number
  /** Additional bytes to set up a wallet, not including the worker. */
  setup: number
  /** Additional bytes for a transaction, on top of the page. */
  approval: number
  /** Additional bytes, on top of a login. */
  approvals: ApprovalsWeight
  /** Modules of Solana's requests that an EVM approval loads. */
  solanaModules: readonly string[]
}

const limitBytes = { login: 75_000, worker: 70_000, setup: 8_000, approval: 40_000 }
const root = join(import.meta.dirname, '../../../apps/frame')
// The first screen of a login with the page's static imports, and the next screen of a first login.
// All other lazy modules belong to approvals, settings and recovery.
const codeScreen =
  /(screens\/(renderScreens|CodeScreen)\.tsx|flows\/watch(Account|Recoveries)\.ts)$/
const setupScreen = /screens\/SetupScreen\.tsx$/
const approval =
  /(requests\/(approveRequest|evm\/prepareTransaction)\.ts|approval\/ApprovalScreen\.tsx)$/
const solana =
  /\/requests\/solana\/|\/sign\/signSolana|\/locales\/solana\.|\/node_modules\/@solana|\/wire\/src\/solana(\.ts|\/)/

/**
 * Builds the frame for production and measures scripts and styles. The font loads with the first
 * text and is measured separately.
 */
export async function weighFrame(): Promise<FrameWeight> {
  const outDir = await mkdtemp(join(tmpdir(), 'latchkey-weight-'))
  try {
    const lazy = new Set<string>()
    const built = (await build({
      root,
      configFile: join(root, 'vite.config.ts'),
      logLevel: 'error',
      plugins: [collectLazy(lazy)],
      build: { outDir, emptyOutDir: true },
    })) as Rolldown.RolldownOutput
    const chunks = built.output.flatMap((part) => (part.type === 'chunk' ? [part] : []))
    const page = chunks.find(({ facadeModuleId }) => facadeModuleId?.endsWith('/index.html'))
    const atOnce = closure(chunks, page?.fileName ?? '')
    const withScreens = (pattern: RegExp) =>
      chunks
        .filter(({ moduleIds }) => moduleIds.some((id) => pattern.test(id)))
        .reduce((found, { fileName }) => closure(chunks, fileName, found), new Set(atOnce))
    const login = withScreens(codeScreen)
    const setup = new Set([...withScreens(setupScreen)].filter((name) => !login.has(name)))
    const assets = (pattern: RegExp) =>
      built.output.flatMap((part) =>
        part.type === 'asset' && pattern.test(part.fileName) ? [part.source] : [],
      )
    const sum = (names: ReadonlySet<string>) =>
      chunks.reduce(
        (total, { fileName, code }) => total + (names.has(fileName) ? gzipped(code) : 0),
        0,
      )
    const evm = withScreens(approval)
    const worker = weighWorker(built.output)
    const style = assets(/\.css$/).reduce((total, one) => total + gzipped(one), 0)
    return {
      page: sum(atOnce) + style,
      login: sum(login) + style,
      // Compressed already.
      font: assets(/\.woff2$/).reduce((total, one) => total + one.length, 0),
      worker,
      setup: sum(setup),
      approval: sum(evm) - sum(atOnce),
      approvals: weighApprovals({ chunks, loaded: login, lazy, weigh: sum }),
      solanaModules: chunks
        .filter(({ fileName }) => evm.has(fileName))
        .flatMap(({ moduleIds }) => moduleIds.filter((id) => solana.test(id))),
    }
  } finally {
    await rm(outDir, { recursive: true, force: true })
  }
}

/** The key worker's script with its static imports; the other parts load when needed. */
function weighWorker(output: Rolldown.RolldownOutput['output']): number {
  const codes = new Map(
    output.flatMap((part) =>
      part.type === 'asset' && part.fileName.endsWith('.js')
        ? [[basename(part.fileName), String(part.source)] as const]
        : [],
    ),
  )
  const wanted = [...codes.keys()].filter((name) => name.startsWith('keyWorker-'))
  const loaded = new Set(wanted)
  for (const name of loaded)
    for (const [, next = ''] of (codes.get(name) ?? '').matchAll(/(?:from|import)"\.\/([^"]+)"/g))
      loaded.add(next)
  return [...loaded].reduce((sum, name) => sum + gzipped(codes.get(name) ?? ''), 0)
}

const gzipped = (content: string | Uint8Array) => gzipSync(content, { level: 9 }).length

/** The size of each part of the frame, with its limit. */
export const frameRows = (frame: FrameWeight): Row[] => [
  [
    'secure frame until a code can be typed',
    frame.login > 0 && frame.login <= limitBytes.login,
    `${kB(frame.login)} of ${kB(limitBytes.login)}, ${kB(frame.page)} of it with the page, without the font's ${kB(frame.font)}`,
  ],
  [
    'key worker, after the code',
    frame.worker > 0 && frame.worker <= limitBytes.worker,
    `${kB(frame.worker)} of ${kB(limitBytes.worker)}`,
  ],
  [
    'more to set a wallet up',
    frame.setup > 0 && frame.setup <= limitBytes.setup,
    `${kB(frame.setup)} of ${kB(limitBytes.setup)}`,
  ],
  [
    'more than the page for an approval in the frame',
    frame.approval > 0 && frame.approval <= limitBytes.approval,
    `${kB(frame.approval)} of ${kB(limitBytes.approval)}`,
  ],
  [
    'an EVM approval in the frame loads nothing of Solana',
    frame.solanaModules.length === 0,
    frame.solanaModules.join(' ') || 'not loaded',
  ],
  ...approvalRows(frame.approvals),
]

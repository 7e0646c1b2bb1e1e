import { spawnSync } from 'node:child_process'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { basename, join, resolve } from 'node:path'
import { importCycles } from './cycles.ts'
import { createReadExports, isForApps, nameFindings } from './documentNames.ts'
import { pathFindings, untestedRows } from './documentPaths.ts'
import { repeatedNameFindings } from './exportedNames.ts'
import { largeFolderFindings } from './largeFolders.ts'
import { looseTextFindings } from './looseTexts.ts'
import { namespaceFindings, staleExceptions } from './namespaceLiterals.ts'
import { isProse, lowerCounts, newProse } from './prose.ts'
import { smallFileFindings } from './smallFiles.ts'

/** Files with screens of the modal, the frame and the web app. */
const isScreen = /^(?:packages\/react|apps\/(?:web|frame))\/src\/.*(?<!\.test)\.tsx$/

const root = resolve(import.meta.dirname, '../../..')

const bannedName = /(util|helper|manager|controller|service(?!s\.ts$|Worker)|common|misc)/i

// APIs that only one place may use: everything that crosses a process goes through it.
const onlyIn: readonly { what: string; pattern: RegExp; allowed: RegExp; within: RegExp }[] = [
  {
    what: 'postMessage',
    pattern: /\.postMessage\(/,
    allowed:
      /^packages\/wire\/src\/channel\/(channelPort|channel(\.\w+)?\.test)\.ts$|^packages\/core\/src\/namespaces\/eip155\/connector\/safe\/askParent\.ts$|^apps\/web\/src\/offline\/serviceWorker\.ts$|^apps\/frame\/src\/(host\/legacyTransport|wallet\/worker\/openKeyWorker|flows\/(watchAccountChanges|walletNews|watchRecoveries))\.ts$/,
    within: /^(packages|apps)\/[^/]+\/src\//,
  },
  {
    what: 'browser storage',
    pattern: /\b(localStorage|sessionStorage)\b/,
    allowed: /^packages\/core\/src\/storage\.ts$|\.test\.ts$/,
    within: /^packages\/[^/]+\/src\//,
  },
  {
    what: 'viem outside namespaces/',
    pattern: /from ['"]viem/,
    allowed: /^packages\/(core\/src\/namespaces|react\/src\/viem)\/|\.test\.tsx?$/,
    within: /^packages\/(core|react|wire)\/src\//,
  },
  {
    what: "asking for a connector's kind or id instead of its traits",
    pattern:
      /\bkind\b.*(['"])(injected|announced|walletConnect|embedded|external)\1|\b(embeddedId|walletConnectId)\b/,
    allowed:
      /^packages\/core\/src\/(connection\/(connectors\/|discover\.ts)|namespaces\/\w+\/connector\/|index\.ts$|internal\.ts$|state\.ts$)|\.test\.tsx?$/,
    within: /^packages\/(core|react)\/src\//,
  },
  {
    what: 'an API that Chrome 111, Firefox 115 or Safari 16.4 does not have',
    pattern:
      /\bAbortSignal\.any\(|\bURL\.(?:canParse|parse)\(|\bPromise\.(?:withResolvers|try)\b|\b(?:Object|Map)\.groupBy\(|\bArray\.fromAsync\(|\.(?:isSubsetOf|isSupersetOf|isDisjointFrom|symmetricDifference|isWellFormed|toWellFormed|toBase64|setFromBase64)\(|\bUint8Array\.from(?:Base64|Hex)\(|\bIterator\.from\(|\.(?:checkVisibility|showPopover|hidePopover|togglePopover|startViewTransition|moveBefore|getHTML)\(|\b(?:Intl\.(?:Segmenter|DurationFormat)|URLPattern|CloseWatcher)\b|\b(?:popover|closedby)=|^\s*(?:await )?using \w/,
    allowed: /^packages\/wire\/src\/olderBrowsers\.ts$|\.test\.tsx?$/,
    within: /^(?:packages\/\w+|apps\/(?:web|frame|wallet))\/src\//,
  },
  {
    what: 'a reference to a document that is not in the repository',
    pattern: /\bspec(\.md)? §|\b(wire|walletconnect|embedded-wallet|views|constants)\.md\b/,
    allowed: /^dev\/src\/gates\//,
    within: /^(packages|apps|dev|e2e|bench)\//,
  },
  {
    what: 'a query key that does not begin with `latchkey`',
    pattern: /\bqueryKey(?::| =) \[(?!'latchkey'|$)/,
    allowed: /\.test\.tsx?$/,
    within: /^packages\/react\/src\//,
  },
  {
    what: 'a type whose name says nothing of what it holds (XParameters, XDeps, XResult)',
    pattern:
      /\b(?:type|interface) (?:(?:Question|Answer|Held|Wish)|\w*(?:Needs|Place)|(?:Asked|Given)\w*)\b/,
    allowed: /^dev\/src\/gates\//,
    within: /^(?:packages|apps|dev|e2e|bench)\//,
  },
  {
    what: 'what core keeps for `@latchkey/react` alone',
    pattern: /['"]@latchkey\/core\/internal['"]/,
    allowed: /^packages\/react\/|^dev\/src\/gates\//,
    within: /^(packages|apps|dev|e2e|bench|examples)\//,
  },
  // Data shown before a signature comes from nodes, never from the list of assets that a page gets.
  {
    what: 'the list of assets, which approvals may not use,',
    pattern: /['"][^'"]*\/answerAssets(\.ts)?['"]|\breadAssets\b/,
    allowed:
      /^apps\/frame\/src\/(requests\/createSafeRequestHandler|requests\/assets\/answerAssets(\.test)?|handlers\/tokenHandlers(\.test)?)\.ts$/,
    within: /^apps\/frame\/src\//,
  },
  {
    what: 'the handler of requests that need no approval',
    pattern: /['"][^'"]*\/createSafeRequestHandler(\.ts)?['"]/,
    allowed: /^apps\/frame\/src\/handlers\/createHandlers\.ts$|\.test\.ts$/,
    within: /^apps\/frame\/src\//,
  },
]

// The workspaces that each workspace may import: always downward.
const below: Readonly<Record<string, readonly string[]>> = {
  'packages/wire': [],
  'packages/walletconnect': ['wire'],
  'packages/core': ['walletconnect', 'wire'],
  'packages/react': ['core', 'walletconnect', 'wire'],
  'apps/web': ['react', 'core', 'wire'],
  'apps/frame': ['wire'],
  'apps/server': ['wire'],
  'apps/wallet': ['walletconnect', 'wire'],
}

/** Finds dependencies in a workspace's manifest against the direction of ARCHITECTURE.md. */
export function upward(
  folder: string,
  manifest: { dependencies?: Record<string, string> },
): string[] {
  const allowed = below[folder]
  if (allowed === undefined) return []
  return Object.keys(manifest.dependencies ?? {})
    .filter(
      (name) => name.startsWith('@latchkey/') && !allowed.includes(name.slice('@latchkey/'.length)),
    )
    .map((name) => `${folder}/package.json: ${name} is not below it`)
}

// The areas of the server, and which other areas each may import. Everything else in the server is
// below them.
const serverAreas: Readonly<Record<string, readonly string[]>> = {
  activity: [],
  allowances: ['activity'],
  analytics: [],
  auth: [],
  balance: ['activity', 'prices'],
  bundler: [],
  convert: ['gas', 'prices'],
  directory: [],
  faucet: [],
  features: ['allowances', 'balance', 'faucet', 'history', 'identity', 'nfts', 'onramp', 'prices'],
  descriptions: ['auth'],
  frame: [
    'auth',
    'balance',
    'bundler',
    'descriptions',
    'risks',
    'rpc',
    'smartSessions',
    'simulation',
    'vault',
  ],
  gas: [],
  history: ['activity'],
  identity: [],
  nfts: ['activity'],
  onramp: ['history', 'prices'],
  prices: [],
  relay: [],
  rpc: [],
  risks: ['auth'],
  smartSessions: ['auth', 'bundler', 'vault'],
  simulation: ['auth', 'prices'],
  vault: ['auth'],
  web: [],
}
// The folder `db` may import the types of these areas' tables.
const serverTables = [
  'activity',
  'auth',
  'bundler',
  'history',
  'nfts',
  'onramp',
  'prices',
  'smartSessions',
  'vault',
]
// Like the files next to them, these folders connect the areas.
const serverRoots = ['config', 'roles']

const insideAnotherArea = (path: string, text: string) => {
  const folder = /^apps\/server\/src\/(\w+)\//.exec(path)?.[1]
  if (folder === undefined || serverRoots.includes(folder) || path.endsWith('.test.ts')) return -1
  const allowed = folder === 'db' ? serverTables : (serverAreas[folder] ?? [])
  return text.split('\n').findIndex((line) => {
    const target = /(?:from|import\()\s*'(?:\.\.\/)+(\w+)\//.exec(line)?.[1] ?? ''
    const isArea = Object.hasOwn(serverAreas, target) && target !== folder
    return isArea && !allowed.includes(target) && !inOwnFolder(path, line)
  })
}

/** Whether an import stays inside the area. Its subfolders may have the name of another area. */
function inOwnFolder(path: string, line: string): boolean {
  const specifier = /'(\.\.[^']+)'/.exec(line)?.[1] ?? ''
  const area = path.split('/').slice(0, 4).join('/')
  return join(path, '..', specifier).startsWith(`${area}/`)
}

/**
 * The import cycles of each workspace, imports of types included; `sources` maps a path to its
 * source.
 */
export function cycleFindings(sources: ReadonlyMap<string, string>): string[] {
  const workspaces = new Map<string, Map<string, string>>()
  for (const [path, text] of sources) {
    const [workspace = ''] = /^(?:(?:packages|apps)\/)?[^/]+/.exec(path) ?? []
    const files = workspaces.get(workspace) ?? new Map<string, string>()
    workspaces.set(workspace, files.set(path, text))
  }
  return [...workspaces.values()]
    .flatMap(importCycles)
    .map((cycle) => `import cycle: ${cycle.join(' ')}`)
}

// Every workspace may read the repository's package.json, which contains the version.
const leavesWorkspace = (path: string, text: string) => {
  const depth = path.split('/').length - (/^(packages|apps)\//.test(path) ? 3 : 2)
  return text.split('\n').findIndex((line) => {
    const up = /(?:from|import)\s*\(?['"]((?:\.\.\/)+)(?!\.\.\/|package\.json)/.exec(line)?.[1]
    return up !== undefined && up.length / 3 > depth
  })
}

/** On a touch screen, what was pressed last would keep the style of `:hover`. */
const hasStickyHover = (text: string) =>
  text.replace(/@media \(hover: hover\) \{(?:[^{}]|\{[^{}]*\})*\}/g, '').includes(':hover')

/** With `unicode-bidi: plaintext`, which theme.css sets, `start` is the side of the words. */
const alignsByWords = (path: string, text: string) =>
  /^(?:packages\/react|apps\/web)\//.test(path) && /text-align: (?:start|end)/.test(text)

/** viem's function can miss the only block that a local chain mines, and then waits in vain. */
const waitsForNextBlock = (path: string, text: string) =>
  /\.test\.ts$|\/test\//.test(path) && /\.waitForTransactionReceipt\(/.test(text)

/** Finds violations of the conventions in a source file. */
export function findings(path: string, text: string): string[] {
  const found: string[] = []
  if (/\.(ts|tsx|css)$/.test(path) && bannedName.test(basename(path)))
    found.push(`${path}: a name that says nothing`)
  if (path.endsWith('.css') && hasStickyHover(text))
    found.push(`${path}: :hover outside @media (hover: hover)`)
  if (path.endsWith('.css') && alignsByWords(path, text))
    found.push(`${path}: text-align by the words and not by the page: use var(--lk-start)`)
  if (!/\.tsx?$/.test(path)) return found
  if (waitsForNextBlock(path, text)) found.push(`${path}: a receipt by viem: use waitForReceipt`)
  for (const rule of onlyIn) {
    if (!rule.within.test(path) || rule.allowed.test(path)) continue
    const line = text.split('\n').findIndex((content) => rule.pattern.test(content))
    if (line >= 0) found.push(`${path}:${line + 1}: ${rule.what} does not belong here`)
  }
  found.push(...namespaceFindings(path, text))
  const line = leavesWorkspace(path, text)
  if (line >= 0) found.push(`${path}:${line + 1}: a relative path into another workspace`)
  const inside = insideAnotherArea(path, text)
  if (inside >= 0)
    found.push(`${path}:${inside + 1}: an import from inside another area of the server`)
  return found
}

/** Checks the language of all files. With `--lower-prose`, stores the counts that have fallen. */
function checkProse(files: readonly string[]): string[] {
  const path = join(import.meta.dirname, 'proseCounts.json')
  const stored = JSON.parse(readFileSync(path, 'utf8'))
  const read = files.filter((file) => isProse.test(file) && existsSync(join(root, file)))
  const texts = new Map(read.map((file) => [file, readFileSync(join(root, file), 'utf8')]))
  if (!process.argv.includes('--lower-prose')) return newProse(texts, stored)
  writeFileSync(path, `${JSON.stringify(lowerCounts(texts, stored), undefined, 2)}\n`)
  return []
}

if (process.argv[1] === import.meta.filename) {
  const files = spawnSync('git', ['ls-files', '--cached', '--others', '--exclude-standard'], {
    cwd: root,
    encoding: 'utf8',
  }).stdout.split('\n')
  const sources = files.filter((path) =>
    /^(packages|apps|dev(?!\/src\/gates)|bench|e2e)\/.*\.(ts|tsx|css)$/.test(path),
  )
  const texts = new Map(sources.map((path) => [path, readFileSync(join(root, path), 'utf8')]))
  const found = [...texts].flatMap(([path, text]) => findings(path, text))
  found.push(...cycleFindings(texts), ...staleExceptions(sources))
  for (const [path, text] of texts)
    if (isScreen.test(path)) found.push(...looseTextFindings(path, text))
  found.push(...smallFileFindings(texts), ...largeFolderFindings(sources))
  found.push(...repeatedNameFindings(texts))
  for (const path of [
    'ARCHITECTURE.md',
    'CONTRIBUTING.md',
    'docs/glossary.md',
    'docs/security.md',
    'docs/security-model.md',
    'docs/specification.md',
    'docs/where.md',
    ...files.filter((path) => path.startsWith('docs/decisions/') || /(^|\/)README\.md$/.test(path)),
  ])
    found.push(...pathFindings(path, readFileSync(join(root, path), 'utf8'), files))
  const readExports = createReadExports(root)
  for (const path of files.filter((path) => isForApps.test(path)))
    found.push(...nameFindings(path, readFileSync(join(root, path), 'utf8'), readExports))
  found.push(...checkProse(files))
  const specification = 'docs/specification.md'
  found.push(...untestedRows(specification, readFileSync(join(root, specification), 'utf8')))
  for (const folder of Object.keys(below)) {
    found.push(
      ...upward(folder, JSON.parse(readFileSync(join(root, folder, 'package.json'), 'utf8'))),
    )
  }
  for (const line of found) console.error(line)
  if (found.length === 0) console.log(`${sources.length} files keep the conventions`)
  process.exitCode = found.length === 0 ? 0 : 1
}

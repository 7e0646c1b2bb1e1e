import { createHash } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { extname, join, sep } from 'node:path'
import type { FramePageFacts } from '@latchkey/wire'
import type { SmartAccountsConfig } from '../bundler/bundlerConfig.ts'
import type { Config } from '../config.ts'
import { readBuiltFile } from '../http/files/readBuiltFile.ts'
import { recoveryLaterOrigins } from '../projects/ownOrigins.ts'
import {
  approvePageHeaders,
  framePageHeaders,
  type Inline,
  ownPageHeaders,
  scriptHeaders,
} from './frameHeaders.ts'

/** Pages that the user opens directly, by path. */
const ownPages: Record<string, string> = {
  '/approve': 'approve.html',
  '/device': 'device.html',
  '/export': 'export.html',
  '/passkey': 'passkey.html',
  '/recover': 'recover.html',
  '/social': 'social.html',
  '/undo': 'undo.html',
  '/visit': 'visit.html',
  '/wallet': 'wallet.html',
}
/**
 * The pages above that our frame, or the page around it, opens as windows that must reach each
 * other.
 */
const openedByFrames = ['/approve', '/passkey', '/social', '/visit']
const html = 'text/html; charset=utf-8'

/**
 * The exact origins of the pages of a project: those that may embed its frame, and those that it
 * trusts with codes.
 */
export type ProjectPages = {
  readonly getAncestors: (projectId: string) => Promise<readonly string[]>
  readonly getTrusted: (projectId: string) => Promise<readonly string[]>
}

type FactsConfig = Pick<
  Config,
  'chains' | 'passkeyAccounts' | 'publicUrl' | 'recoveryLaterOrigins' | 'smtpUrl' | 'socials'
>

/**
 * The response of the frame's origin at a URL, or undefined. `acceptEncoding` is the header of the
 * request. `/sdk?projectId=…` is the frame for clients of the plain envelope, which know no other
 * URL: only the pages that the project trusts with codes may embed it there.
 */
export async function serveFrame(
  config: FactsConfig & Pick<Config, 'frame'>,
  { url, acceptEncoding }: { url: URL; acceptEncoding: string | undefined },
  { getAncestors, getTrusted }: ProjectPages,
): Promise<Response | undefined> {
  const { frame } = config
  const { pathname: path } = url
  const isPlain = path === '/sdk'
  const projectId = isPlain
    ? /^[\w-]{1,128}$/.exec(url.searchParams.get('projectId') ?? '')?.[0]
    : /^\/f\/([\w-]{1,128})$/.exec(path)?.[1]
  const trusted = projectId === undefined ? [] : await getTrusted(projectId)
  if (isPlain && trusted.length === 0) return undefined
  const name = projectId === undefined ? ownPage(path) : 'index.html'
  if (name === undefined) return serveAsset(frame.dist, path, acceptEncoding)
  const page = await readFile(join(frame.dist, name), 'utf8').catch(() => undefined)
  // Sends frame-ancestors anyway, so that a page shows this message and not a browser error.
  const inline = hashInline(page ?? '')
  const ancestors = isPlain || projectId === undefined ? trusted : await getAncestors(projectId)
  const headers =
    projectId !== undefined
      ? framePageHeaders(ancestors, inline)
      : openedByFrames.includes(path)
        ? approvePageHeaders(inline)
        : ownPageHeaders(inline)
  if (page === undefined)
    return new Response(
      'The secure frame is not built yet. Build it with `npm run build -w @latchkey/frame`, or start everything with `npm start`.\n',
      { status: 404, headers: { ...headers, 'content-type': 'text/plain; charset=utf-8' } },
    )
  const body =
    projectId === undefined ? page : insertFacts(page, config, { projectId, ancestors, trusted })
  return new Response(body, { headers: { ...headers, 'content-type': html } })
}

/** Writes the facts about the project and our networks into the frame's page. */
function insertFacts(
  page: string,
  config: FactsConfig,
  parameters: { projectId: string; ancestors: readonly string[]; trusted: readonly string[] },
): string {
  const { chains, passkeyAccounts, smtpUrl, socials } = config
  const { projectId, ancestors, trusted } = parameters
  const facts: FramePageFacts = {
    projectId,
    ancestors: [...ancestors],
    recoveryLater: [...recoveryLaterOrigins(config)],
    otpSurface: trusted.length > 0 ? 'host' : 'frame',
    emailLogin: smtpUrl !== undefined,
    passkeyAccounts: passkeyAccounts !== 'off',
    socials: [...socials.keys()],
    chains: Object.entries(chains).map(([id, { name, nativeCurrency, smartAccounts }]) => ({
      id,
      name,
      symbol: nativeCurrency.symbol,
      decimals: nativeCurrency.decimals,
      ...(smartAccounts && { smartAccounts: getSponsor(smartAccounts) }),
    })),
  }
  const text = JSON.stringify(facts)
    .replaceAll('&', '&amp;')
    .replaceAll('"', '&quot;')
    .replaceAll('<', '&lt;')
  return page.replace(
    '<meta name="latchkey-frame" content="',
    () => `<meta name="latchkey-frame" content="${text}`,
  )
}

/** The sponsor as the frame shows it, and whether sites may get permissions to act on their own. */
const getSponsor = ({ sponsorship, permissions }: SmartAccountsConfig) => ({
  ...(permissions && { permissions }),
  ...(sponsorship && {
    sponsor: { name: sponsorship.name, paymaster: sponsorship.paymaster },
  }),
})

const ownPage = (path: string) => (Object.hasOwn(ownPages, path) ? ownPages[path] : undefined)

async function serveAsset(
  dist: string,
  path: string,
  acceptEncoding: string | undefined,
): Promise<Response | undefined> {
  const file = join(dist, path)
  const isPage = extname(file) === '.html'
  if (isPage || path.includes('\0') || !file.startsWith(dist + sep)) return undefined
  const found = await readBuiltFile(file, acceptEncoding)
  if (found === undefined) return undefined
  // Vite names files in assets/ by their content.
  const hashed = path.startsWith('/assets/')
  const headers = {
    ...found.headers,
    'cache-control': hashed ? 'public, max-age=31536000, immutable' : 'no-cache',
    ...(extname(file) === '.js' && scriptHeaders),
  }
  return new Response(new Uint8Array(found.body), { headers })
}

/** The recovery page is one file that works without us; its inline code is allowed by its hash. */
function hashInline(page: string): Inline {
  const hashes = (pattern: RegExp) =>
    [...page.matchAll(pattern)].map(
      ([, content = '']) => `'sha256-${createHash('sha256').update(content).digest('base64')}'`,
    )
  return {
    scripts: hashes(/<script(?![^>]*\ssrc=)[^>]*>([\s\S]*?)<\/script>/g),
    styles: hashes(/<style[^>]*>([\s\S]*?)<\/style>/g),
  }
}

import { spawnSync } from 'node:child_process'
import { mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { chromium, type Page } from 'playwright-core'
import { build, preview } from 'vite'
import { ensureHeadlessShell } from './gates/ensureChromium.ts'
import { host } from './ports.ts'
import { root } from './root.ts'
import { type Form, forms, pictureFile, toFileName } from './suites/forms.ts'

// Takes pictures of every view in eight forms, and makes a page of each view's pictures. The views
// of the modal are filled with fake data. The visual tests of the secure frame and of the web app
// take the pictures of their screens. `npm run shots -- [WORD]`: only the views of the modal whose
// name has the word.

type Shot = { form: Form; file: string; defects: readonly string[] }
type View = { label: string; shots: readonly Shot[] }

const gallery = join(root, 'packages/react/test/gallery')
const folder = join(root, '.latchkey/shots')

async function main() {
  const word = (process.argv[2] ?? '').toLowerCase()
  const startedAtMs = Date.now()
  rmSync(folder, { recursive: true, force: true })
  mkdirSync(folder, { recursive: true })
  const server = await serveGallery()
  const browser = await chromium.launch({
    executablePath: await ensureHeadlessShell(),
    args: ['--no-sandbox', '--disable-gpu', '--disable-background-networking'],
  })
  const pages = await Promise.all(
    forms.map(async (form) => {
      const { width, height, scale = 1, forcedColors = 'none' } = form
      const context = await browser.newContext({
        viewport: { width, height },
        deviceScaleFactor: scale,
        forcedColors,
        reducedMotion: 'reduce',
      })
      return { form, page: await context.newPage() }
    }),
  )
  const labels = (await listViews(pages[0]?.page, server.url)).filter((label) =>
    label.toLowerCase().includes(word),
  )
  const views: View[] = []
  for (const label of labels) {
    const shots = await Promise.all(
      pages.map(({ form, page }) => takeShot(page, { form, label, url: server.url })),
    )
    views.push({ label, shots })
  }
  await browser.close()
  await server.stop()
  const groups = {
    modal: views,
    ...(!word && {
      frame: takeByTests('frame', ['vitest', 'run', '--project=node', 'apps/frame/test/visual']),
      web: takeByTests('web', [
        ...['playwright', 'test', '--config', 'e2e/playwright.config.ts'],
        'specs/web/pages.spec.ts',
      ]),
    }),
  }
  for (const { label, shots } of Object.values(groups).flat())
    writeFileSync(join(folder, `${toFileName(label)}.html`), drawSheet(label, shots))
  writeFileSync(join(folder, 'index.html'), drawIndex(groups))
  report(groups, startedAtMs)
}

/** The views of which visual tests take pictures, named by the files of the group. */
function takeByTests(group: string, [bin = '', ...args]: readonly string[]): View[] {
  const own = join(folder, group)
  mkdirSync(own)
  spawnSync(join(root, 'node_modules/.bin', bin), args, {
    cwd: root,
    stdio: 'inherit',
    env: { ...process.env, SHOTS_DIR: own },
  })
  const files = readdirSync(own)
  const [first] = forms
  const ending = first ? pictureFile('', first) : ''
  return files
    .filter((file) => file.endsWith(ending))
    .map((file) => file.slice(0, -ending.length))
    .map((view) => ({
      label: `${group} ${view}`,
      shots: forms
        .map((form) => ({ form, file: pictureFile(view, form) }))
        .filter(({ file }) => files.includes(file))
        .map(({ form, file }) => ({ form, file: `${group}/${file}`, defects: [] })),
    }))
}

/** Builds the gallery, because its pages would load hundreds of modules each, and serves it. */
async function serveGallery() {
  const outDir = join(folder, 'gallery')
  const options = { root: gallery, configFile: false, logLevel: 'error' } as const
  await build({ ...options, build: { outDir, target: 'es2023' } })
  const server = await preview({ ...options, build: { outDir }, preview: { host, port: 0 } })
  const { port } = server.httpServer.address() as AddressInfo
  return { url: `http://${host}:${port}/`, stop: () => server.close() }
}

/** The names of the views, which the gallery's first page lists. */
async function listViews(page: Page | undefined, url: string): Promise<readonly string[]> {
  if (!page) return []
  await page.goto(url)
  const links = page.locator('.links a')
  await links.first().waitFor()
  return links.allTextContents()
}

async function takeShot(
  page: Page,
  { form, label, url }: { form: Form; label: string; url: string },
): Promise<Shot> {
  const file = pictureFile(label, form)
  const { theme = 'dark', dir = 'ltr', isLong } = form
  const search = new URLSearchParams({ sample: label, theme, dir, ...(isLong && { long: '' }) })
  await page.goto(`${url}?${search}`)
  const found = await page
    .locator('html[data-defects]')
    .getAttribute('data-defects')
    .catch(() => '["still loads after 30 s"]')
  await page.screenshot({ path: join(folder, file) })
  return { form, file, defects: JSON.parse(found ?? '[]') }
}

const escapeHtml = (text: string) => text.replace(/[&<>"']/g, (sign) => `&#${sign.charCodeAt(0)};`)

const drawPage = (title: string, body: string) => `<!doctype html>
<meta charset="utf-8">
<title>${escapeHtml(title)}</title>
<style>
  body { margin: 24px; background: #444; color: #fff; font: 15px/1.5 sans-serif }
  main { display: flex; flex-wrap: wrap; gap: 24px }
  figure { margin: 0; max-width: 640px }
  img { display: block; max-width: 100%; max-height: 640px }
  a { color: inherit }
  li { color: #ffb3ad }
</style>
<h1>${escapeHtml(title)}</h1>
${body}`

const drawSheet = (label: string, shots: readonly Shot[]) =>
  drawPage(label, `<main>${shots.map(drawShot).join('\n')}</main>`)

const drawShot = ({ form, file, defects }: Shot) => `<figure>
<figcaption>${form.name}</figcaption>
<a href="${file}"><img src="${file}" alt="${form.name}"></a>
<ul>${defects.map((defect) => `<li>${escapeHtml(defect)}</li>`).join('')}</ul>
</figure>`

const drawIndex = (groups: Record<string, readonly View[]>) =>
  drawPage(
    'Views',
    Object.entries(groups)
      .map(([name, views]) => `<h2>${name}</h2>${views.map(drawLink).join('')}`)
      .join('\n'),
  )

const drawLink = ({ label }: View) =>
  `<p><a href="${toFileName(label)}.html">${escapeHtml(label)}</a></p>`

function report(groups: Record<string, readonly View[]>, startedAtMs: number) {
  const seconds = ((Date.now() - startedAtMs) / 1000).toFixed(1)
  for (const views of Object.values(groups)) {
    for (const { label, shots } of views) {
      for (const { form, defects } of shots)
        for (const defect of defects) console.log(`${label}, ${form.name}: ${defect}`)
      console.log(`${label}: ${shots.length} pictures`)
    }
  }
  const views = Object.values(groups).flat()
  const count = views.reduce((sum, { shots }) => sum + shots.length, 0)
  console.log(`${count} pictures on ${views.length} sheets in ${seconds} s:`)
  console.log(join(folder, 'index.html'))
}

await main()

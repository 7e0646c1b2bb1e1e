import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { chromium, type Page } from 'playwright-core'
import { build, preview } from 'vite'
import { ensureHeadlessShell } from './gates/ensureChromium.ts'
import { host } from './ports.ts'
import { root } from './root.ts'

// Takes pictures of every view of the modal in eight forms, filled with fake data. Each view gets a
// page with its pictures. `npm run shots -- [WORD]`: only the views whose name has the word.

type Form = {
  name: string
  /** The window, in CSS px. */
  width: number
  height: number
  /** Physical pixels of a CSS px. */
  scale?: number
  /** Parameters of the gallery's page. */
  search?: string
  forcedColors?: 'active'
}

const phone = { width: 390, height: 844 }
const computer = { width: 1280, height: 860 }
const forms: readonly Form[] = [
  { name: '1280 dark', ...computer },
  { name: '1280 light', ...computer, search: 'theme=light' },
  { name: '390 dark', ...phone },
  { name: '390 light', ...phone, search: 'theme=light' },
  { name: 'right to left', ...phone, search: 'dir=rtl' },
  { name: '200 percent', width: computer.width / 2, height: computer.height / 2, scale: 2 },
  { name: 'forced colors', ...phone, forcedColors: 'active' },
  { name: 'longest words', ...phone, search: 'long' },
]

type Shot = { form: Form; file: string; defects: readonly string[] }

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
  const views: { label: string; shots: readonly Shot[] }[] = []
  for (const label of labels) {
    const shots = await Promise.all(
      pages.map(({ form, page }) => takeShot(page, { form, label, url: server.url })),
    )
    writeFileSync(join(folder, `${toFileName(label)}.html`), drawSheet(label, shots))
    views.push({ label, shots })
  }
  writeFileSync(join(folder, 'index.html'), drawIndex(labels))
  await browser.close()
  await server.stop()
  report(views, startedAtMs)
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
  const file = `${toFileName(label)}-${toFileName(form.name)}.png`
  await page.goto(`${url}?sample=${encodeURIComponent(label)}&${form.search ?? ''}`)
  const found = await page
    .locator('html[data-defects]')
    .getAttribute('data-defects')
    .catch(() => '["still loads after 30 s"]')
  await page.screenshot({ path: join(folder, file) })
  return { form, file, defects: JSON.parse(found ?? '[]') }
}

const toFileName = (text: string) => text.toLowerCase().replace(/\W+/g, '-')

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

const drawIndex = (labels: readonly string[]) =>
  drawPage(
    'Views',
    labels
      .map((label) => `<p><a href="${toFileName(label)}.html">${escapeHtml(label)}</a></p>`)
      .join('\n'),
  )

function report(views: readonly { label: string; shots: readonly Shot[] }[], startedAtMs: number) {
  const seconds = ((Date.now() - startedAtMs) / 1000).toFixed(1)
  for (const { label, shots } of views)
    for (const { form, defects } of shots)
      for (const defect of defects) console.log(`${label}, ${form.name}: ${defect}`)
  const count = views.length * forms.length
  console.log(`${count} pictures of ${views.length} views in ${seconds} s:`)
  console.log(join(folder, 'index.html'))
}

await main()

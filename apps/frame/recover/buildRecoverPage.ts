import { createHash } from 'node:crypto'
import { readFile, writeFile } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { build, type Plugin } from 'vite'

const hashOf = (text: string) => `'sha256-${createHash('sha256').update(text).digest('base64')}'`

/**
 * Builds `recover.html`: one file with script and style inside, that works from a disk without us
 * and cannot reach any network. Its own policy allows its own script and style by hash, and nothing
 * else.
 */
export const buildRecoverPage = (): Plugin => {
  const target = { root: '', outDir: '' }
  return {
    name: 'recover-page',
    apply: 'build',
    configResolved(config) {
      target.root = config.root
      target.outDir = resolve(config.root, config.build.outDir)
    },
    async writeBundle() {
      const script = await buildScript(target.root)
      const style = await readFile(join(target.root, 'recover/recover.css'), 'utf8')
      const page = await readFile(join(target.root, 'recover/recover.html'), 'utf8')
      const policy = [
        "default-src 'none'",
        `script-src ${hashOf(script)}`,
        `style-src ${hashOf(style)}`,
        "base-uri 'none'",
        "form-action 'none'",
      ].join('; ')
      const whole = page
        .replace(
          '<!--policy-->',
          () => `<meta http-equiv="Content-Security-Policy" content="${policy}">`,
        )
        .replace('<!--style-->', () => `<style>${style}</style>`)
        .replace('<!--script-->', () => `<script>${script}</script>`)
      await writeFile(join(target.outDir, 'recover.html'), whole)
    },
  }
}

async function buildScript(root: string): Promise<string> {
  const made = await build({
    root,
    configFile: false,
    logLevel: 'warn',
    build: {
      write: false,
      target: 'es2022',
      lib: { entry: 'recover/main.ts', formats: ['iife'], name: 'recover' },
      rolldownOptions: { output: { minify: true } },
    },
  })
  const output = (Array.isArray(made) ? made : [made]).flatMap((each) =>
    'output' in each ? each.output : [],
  )
  const code = output.find((chunk) => chunk.type === 'chunk')?.code
  if (code === undefined) throw new Error('the recovery page has no script')
  if (/<\/script|<!--/i.test(code)) throw new Error('the script would end the page')
  return code
}

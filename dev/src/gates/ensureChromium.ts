import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { findProgram } from './findProgram.ts'
import { installDebian } from './installDebian.ts'

const installed = () =>
  findProgram('chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable')

/**
 * Path of a Chromium: `CHROMIUM`, an installed one, else Playwright's, else Debian's package.
 * Throws if none can be installed.
 */
export async function ensureChromium(): Promise<string> {
  const named = process.env.CHROMIUM
  if (named !== undefined) {
    if (existsSync(named)) return named
    throw new Error(`CHROMIUM names ${named}, which does not exist`)
  }
  const found = installed()
  if (found !== undefined) return found
  const { chromium } = await import('playwright-core')
  if (existsSync(chromium.executablePath())) return chromium.executablePath()
  console.log("No Chromium is installed: trying Playwright's…")
  const download = spawnSync('npx', ['playwright', 'install', 'chromium'], {
    stdio: 'ignore',
    timeout: 180_000,
  })
  if (download.status === 0 && existsSync(chromium.executablePath()))
    return chromium.executablePath()
  const packaged = installDebian('chromium') ? installed() : undefined
  if (packaged !== undefined) return packaged
  throw new Error('No Chromium: install one, or set CHROMIUM to its path')
}

/**
 * Path of the browser that tests run in: `CHROMIUM`, else Chromium's headless shell, which renders
 * no window around its pages and needs less processor time, else any Chromium. Throws if none can
 * be installed.
 */
export async function ensureHeadlessShell(): Promise<string> {
  if (process.env.CHROMIUM !== undefined) return ensureChromium()
  const shell = () => findProgram('chromium-headless-shell')
  const found = shell() ?? (installDebian('chromium-headless-shell') ? shell() : undefined)
  return found ?? ensureChromium()
}

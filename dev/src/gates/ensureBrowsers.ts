import { findProgram } from './findProgram.ts'
import { installDebian } from './installDebian.ts'

/** What the smoke tests drive, and Debian's package of each. */
const packages = {
  'firefox-esr': 'firefox-esr',
  WebKitWebDriver: 'webkit2gtk-driver',
  Xvfb: 'xvfb',
  'matchbox-window-manager': 'matchbox-window-manager',
} as const

const missing = () =>
  Object.entries(packages).flatMap(([program, name]) => (findProgram(program) ? [] : [name]))

/** Sees that Firefox and WebKit are there, and a screen in memory with windows on it. Throws if they cannot be installed. */
export function ensureBrowsers(): void {
  const missingPackages = missing()
  if (missingPackages.length === 0) return
  if (installDebian(...missingPackages) && missing().length === 0) return
  throw new Error(`Firefox and WebKit are tested too: install ${missingPackages.join(', ')}`)
}

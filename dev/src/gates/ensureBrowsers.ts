import { findProgram } from './findProgram.ts'
import { installDebian } from './installDebian.ts'

/** The programs that the smoke tests need, and Debian's package of each. */
const packages = {
  'firefox-esr': 'firefox-esr',
  WebKitWebDriver: 'webkit2gtk-driver',
  Xvfb: 'xvfb',
  'matchbox-window-manager': 'matchbox-window-manager',
} as const

const missing = () =>
  Object.entries(packages).flatMap(([program, name]) => (findProgram(program) ? [] : [name]))

/**
 * Makes sure that Firefox, WebKit, a virtual screen and a window manager are installed. Throws if
 * they cannot be installed.
 */
export function ensureBrowsers(): void {
  const missingPackages = missing()
  if (missingPackages.length === 0) return
  if (installDebian(...missingPackages) && missing().length === 0) return
  throw new Error(`Firefox and WebKit are tested too: install ${missingPackages.join(', ')}`)
}

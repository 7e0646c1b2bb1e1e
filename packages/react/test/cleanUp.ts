import { afterEach, vi } from 'vitest'
import { page } from 'vitest/browser'
import { cleanup } from 'vitest-browser-react'
import './pauseAnimations.ts'
import { destroyApps } from './testApp.ts'

// Test files share a page, so this removes everything that a test has mounted, made or replaced
// before the next test. `vitest-browser-react` unmounts in its own hook, but only the first file
// gets that hook, because the module is loaded once. Vitest loads this file again for each test
// file.
afterEach(async () => {
  vi.useRealTimers()
  vi.unstubAllGlobals()
  vi.restoreAllMocks()
  await cleanup()
  destroyApps()
  document.documentElement.dir = 'ltr'
  if (innerWidth !== 1280 || innerHeight !== 860) await page.viewport(1280, 860)
})

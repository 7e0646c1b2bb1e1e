import { afterEach, vi } from 'vitest'

// Files share a worker: a test's stub of a global must not reach the next test. Vitest's own option
// runs before a test, when the hooks of its file have already run.
afterEach(() => void vi.unstubAllGlobals())

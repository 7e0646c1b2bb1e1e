import { afterEach, vi } from 'vitest'

// Files share a worker: what a test has put in place of a global must not reach the next one.
// Vitest's own option acts before a test, when the hooks of its file have already run.
afterEach(() => void vi.unstubAllGlobals())

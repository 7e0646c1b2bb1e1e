import type { App } from '@latchkey/core'
import { useLatchkey } from './context.ts'

/** The app of the nearest provider. */
export const useApp = (): App => useLatchkey().app

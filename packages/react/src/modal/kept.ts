import { OfflineLine } from '../views/OfflineLine.tsx'
import { views } from './views.ts'

/** The views that a connected account has without a network connection. */
const kept = ['Account', 'Receive', 'Send', 'SendPreview', 'ReviewTransaction'] as const

/** Loads the code that is needed without a network connection; returns the line that says so. */
export async function loadKept(): Promise<typeof OfflineLine> {
  const loads = kept.map((name) => views[name].view)
  await Promise.all([
    ...loads.map((view) => 'load' in view && view.load()),
    import('../views/qrCode/qrShape.ts'),
  ])
  return OfflineLine
}

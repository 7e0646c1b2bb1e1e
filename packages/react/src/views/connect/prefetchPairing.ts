/** Loads what connecting to a wallet elsewhere takes, as when a pointer rests on its row. */
export function prefetchPairing(): void {
  // What does not come now is asked for again when it is needed.
  const quietly = (loading: Promise<unknown>) => void loading.catch(() => {})
  quietly(import('./ConnectingWalletConnectBasic.tsx'))
  quietly(import('./ConnectingWalletConnect.tsx'))
  quietly(import('../qrCode/qrShape.ts'))
}

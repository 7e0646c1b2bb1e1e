import { isError, LatchkeyError, type WalletAddresses } from '@latchkey/wire'
import type { FrameContext } from '../context.ts'
import { en } from '../locales/en.ts'
import type { SetupProps } from '../screens/SetupScreen.tsx'

const maxRounds = 5

/**
 * The wallet's addresses, once this browser can use it: as it is, made after recovery was set up, or brought here, also where
 * what this browser has of it does not verify. Throws USER_REJECTED when the person left.
 */
export async function prepareWallet(
  context: Pick<FrameContext, 'keys' | 'screenQueue' | 'session'> & {
    readonly facts: { projectId: string }
  },
  { origin, signal }: { readonly origin: string; readonly signal: AbortSignal },
): Promise<WalletAddresses> {
  const { keys, screenQueue, session } = context
  for (let round = 0; round < maxRounds; round++) {
    let walletStatus = await keys.do('getStatus', {})
    let problem: unknown
    if (walletStatus.status === 'quarantined')
      try {
        walletStatus = await keys.do('recheck', {})
      } catch (error) {
        if (!isError(error, 'WALLET_QUARANTINED') && !isError(error, 'WALLET_NOT_ENROLLED'))
          throw error
        problem = error
      }
    if (walletStatus.status === 'ready') return walletStatus.addresses
    try {
      if (walletStatus.status === 'none')
        return await screenQueue.show<SetupProps, WalletAddresses>(
          {
            view: 'recovery-setup',
            title: en.setup.title,
            load: async () => (await import('../screens/SetupScreen.tsx')).SetupScreen,
            props: { keys, email: (await session.read())?.email ?? '' },
          },
          signal,
        )
      const { bringWallet } = await import('./bringWallet.ts')
      return await bringWallet(context, { origin, problem, signal })
    } catch (error) {
      // Another browser was first, or this one had it all along.
      if (!isError(error, 'WALLET_EXISTS') && !isError(error, 'WALLET_NOT_ENROLLED')) throw error
    }
  }
  throw new LatchkeyError('INTERNAL')
}

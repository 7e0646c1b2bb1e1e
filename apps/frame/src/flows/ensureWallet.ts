import { isError, LatchkeyError, type SocialProvider, type WalletAddresses } from '@latchkey/wire'
import type { FrameContext } from '../context.ts'
import { readStorageLife } from '../host/readStorageLife.ts'
import { en } from '../locales/en.ts'
import { pictureKey } from '../picture/picture.ts'
import { followAccountType, saveAccountType } from '../requests/calls/accountType.ts'
import type { Volatile } from '../screens/parts/VolatileNotice.tsx'
import type { SetupProps } from '../screens/SetupScreen.tsx'
import type { WalletStatus } from '../wallet/worker/messages.ts'

const maxRounds = 5

type Facts = { readonly projectId: string; readonly socials: readonly SocialProvider[] }
type EnsureWalletParameters = {
  readonly origin: string
  /** The page does not show the frame. */
  readonly isHidden?: boolean
  readonly signal: AbortSignal
}

/**
 * Returns the wallet's addresses once this browser can use it: the wallet is there, is created
 * after the user sets up recovery, or is brought here, also if this browser's part of it does not
 * verify. If `isHidden`, the wallet of a user with an address is created with the operator's help,
 * because the user cannot see the choice. Throws USER_REJECTED if the user leaves, and
 * WALLET_NOT_ENROLLED if the frame is not drawn and a wallet would have to be brought here.
 */
export async function ensureWallet(
  context: Pick<FrameContext, 'keys' | 'screenQueue' | 'session' | 'store'> & {
    readonly facts: Facts
  },
  { origin, isHidden = false, signal }: EnsureWalletParameters,
): Promise<WalletAddresses> {
  const { keys, screenQueue, session, store } = context
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
    if (walletStatus.status === 'ready') {
      const { addresses, accountType: shown } = walletStatus
      await followAccountType(context, { account: addresses.eip155, shown })
      return addresses
    }
    if (isHidden && walletStatus.status !== 'none' && window.innerWidth === 0)
      throw new LatchkeyError('WALLET_NOT_ENROLLED')
    try {
      if (walletStatus.status === 'none') {
        const email = (await session.read())?.email ?? null
        if (isHidden && email !== null) {
          const { addresses } = await keys.do('create', { factors: [{ kind: 'operator' }] })
          await saveAccountType(store, addresses.eip155, 'smartAccount')
          return addresses
        }
        const addresses = await screenQueue.show<SetupProps, WalletAddresses>(
          {
            view: 'recovery-setup',
            title: en.setup.title,
            load: async () => (await import('../screens/SetupScreen.tsx')).SetupScreen,
            props: {
              pictures: await preparePictures({ session, store }),
              keys,
              session,
              email,
              place: { projectId: context.facts.projectId, origin },
              volatile: await readVolatile(context.facts, { origin, walletStatus }),
            },
          },
          signal,
        )
        // A new wallet may use the smart account at once; for existing wallets, the owner decides.
        await saveAccountType(store, addresses.eip155, 'smartAccount')
        return addresses
      }
      const { restoreWallet } = await import('./restoreWallet.ts')
      const moved =
        'movedFrom' in walletStatus && walletStatus.movedFrom !== undefined
          ? { to: walletStatus.addresses.eip155, from: walletStatus.movedFrom }
          : undefined
      // A wallet that was brought here may have a successor: the user is prompted in that case.
      const volatile = await readVolatile(context.facts, { origin, walletStatus })
      await restoreWallet(context, { origin, problem, moved, volatile, signal })
    } catch (error) {
      // Another browser was faster, or this one already had the wallet.
      if (!isError(error, 'WALLET_EXISTS') && !isError(error, 'WALLET_NOT_ENROLLED')) throw error
    }
  }
  throw new LatchkeyError('INTERNAL')
}

/**
 * Reads whether storage is temporary; undefined if this browser keeps what the frame stores. The
 * notice has a separate chunk, which few browsers need. The pages on the frame's site have their
 * own notice.
 */
async function readVolatile(
  { projectId, socials }: Facts,
  { origin, walletStatus }: { origin: string; walletStatus: WalletStatus },
): Promise<Volatile | undefined> {
  const life = walletStatus.durable ? await readStorageLife(window, origin) : 'none'
  if (life === 'lasting' || origin === globalThis.location?.origin) return undefined
  const { VolatileNotice } = await import('../screens/parts/VolatileNotice.tsx')
  return { Notice: VolatileNotice, life, projectId, socials }
}

/**
 * Loads a chunk next to the set-up: the suggested picture, and functions to choose and store
 * another.
 */
async function preparePictures({
  session,
  store,
}: Pick<FrameContext, 'session' | 'store'>): Promise<SetupProps['pictures']> {
  const [{ PictureField }, { drawPicture, suggestPicture }] = await Promise.all([
    import('../picture/PictureField.tsx'),
    import('../picture/drawings.ts'),
  ])
  return {
    Field: PictureField,
    suggested: suggestPicture(),
    draw: drawPicture,
    save: async (choice) => {
      const user = await session.read()
      if (user) await store.put(pictureKey(user.userId), choice)
    },
  }
}

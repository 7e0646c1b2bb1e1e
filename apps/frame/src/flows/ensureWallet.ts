import { isError, LatchkeyError, type SocialProvider, type WalletAddresses } from '@latchkey/wire'
import type { FrameContext } from '../context.ts'
import { readStorageLife } from '../host/readStorageLife.ts'
import { en } from '../locales/en.ts'
import type { PictureChoice } from '../picture/drawings.ts'
import { pictureKey } from '../picture/picture.ts'
import { followAccountType, saveAccountType } from '../requests/calls/accountType.ts'
import type { Volatile } from '../screens/parts/VolatileNotice.tsx'
import type { SetupProps } from '../screens/SetupScreen.tsx'
import type { WalletStatus, WorkParams } from '../wallet/worker/messages.ts'
import type { FirstPasskey } from './beginPasskeyAccount.ts'

const maxRounds = 5

type Factors = WorkParams<'create'>['factors']
type Factor = WorkParams<'addFactor'>['factor']

type Facts = { readonly projectId: string; readonly socials: readonly SocialProvider[] }
type EnsureWalletParameters = {
  readonly origin: string
  /** The page does not show the frame. */
  readonly isHidden?: boolean
  /** The page gets the address of a wallet before recovery is set up, if storage is lasting. */
  readonly isRecoveryLater?: boolean
  /** The passkey that has just begun the account. */
  readonly passkey?: FirstPasskey | undefined
  readonly signal: AbortSignal
}

/** A wallet that this browser can use. `lacksRecovery`: it is lost with its devices. */
export type UsableWallet = {
  readonly addresses: WalletAddresses
  readonly lacksRecovery: boolean
}

/**
 * Returns the wallet once this browser can use it: the wallet is there, is created, or is brought
 * here, also if this browser's part of it does not verify. If the passkey that began the account
 * has given its secret, it recovers the wallet. Otherwise the user sets up recovery first, unless
 * `isRecoveryLater`. If `isHidden`, the wallet of a user with an address is created with the
 * operator's help, because the user cannot see the choice. Throws USER_REJECTED if the user leaves,
 * and WALLET_NOT_ENROLLED if the frame is not drawn and has to ask the user.
 */
export async function ensureWallet(
  context: Pick<FrameContext, 'keys' | 'screenQueue' | 'session' | 'store'> & {
    readonly facts: Facts
  },
  { origin, isHidden = false, isRecoveryLater = false, passkey, signal }: EnsureWalletParameters,
): Promise<UsableWallet> {
  const { keys, screenQueue, session, store } = context
  const requireDrawn = () => {
    if (isHidden && window.innerWidth === 0) throw new LatchkeyError('WALLET_NOT_ENROLLED')
  }
  // A page that does not show the frame cannot show the question either. If the passkey that the
  // user wanted for the wallet cannot recover it, another way comes before the wallet.
  let mayWait = isRecoveryLater && !isHidden && passkey !== 'unfit'
  const own = typeof passkey === 'object' ? passkey : undefined
  // Widened, because closures assign other ways, which control flow does not see.
  let chosen = own as Factor | undefined
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
      const { addresses, accountType: shown, lacksRecovery = false } = walletStatus
      if (chosen !== undefined) {
        // Another tab or browser has made the wallet without the way that the user chose here.
        const factor = chosen
        chosen = undefined
        const { backUp } = await import('./recovery/backUp.ts')
        await backUp(context, { factor, origin, signal })
        continue
      }
      if (!lacksRecovery || mayWait || isOwnPage(origin)) {
        await followAccountType(context, { account: addresses.eip155, shown })
        return { addresses, lacksRecovery }
      }
      requireDrawn()
      const { backUp } = await import('./recovery/backUp.ts')
      await backUp(context, { origin, signal })
      continue
    }
    if (walletStatus.status !== 'none') requireDrawn()
    try {
      const volatile = await readVolatile(context.facts, { origin, walletStatus })
      if (walletStatus.status === 'none') {
        const email = (await session.read())?.email ?? null
        // The next round reads what the wallet has: another tab may have made it.
        const create = async (factors: Factors) => {
          const { addresses, isIncomplete } = await keys.do('create', { factors })
          // A new wallet may use the smart account at once; existing owners decide.
          await saveAccountType(store, addresses.eip155, 'smartAccount')
          if (!isIncomplete) chosen = undefined
        }
        if (isHidden && email !== null) {
          await create([{ kind: 'operator' }])
          continue
        }
        // The passkey brings the wallet back, also if this browser stores nothing.
        if (own !== undefined) {
          await create([own])
          continue
        }
        if (mayWait && volatile === undefined) {
          await create([])
          keepStorage()
          continue
        }
        const kit = chosen?.kind === 'kit' ? chosen.kit : undefined
        const { offerFirstPasskey } = await import('./makePasskey.ts')
        const [pictures, firstPasskey] = await Promise.all([
          preparePictures(),
          offerFirstPasskey(session),
        ])
        await screenQueue.show<SetupProps<void>, void>(
          {
            view: 'recovery-setup',
            title: en.setup.title,
            load: async () => (await import('../screens/SetupScreen.tsx')).SetupScreen<void>,
            props: {
              pictures,
              keys,
              session,
              email,
              place: { projectId: context.facts.projectId, origin },
              volatile,
              texts: en.setup,
              firstPasskey,
              isPasskeyUnfit: passkey === 'unfit',
              kit,
              save: async (factor, picture) => {
                if (picture) await savePicture(context, picture)
                chosen = factor
                await create([factor])
              },
            },
          },
          signal,
        )
        continue
      }
      const { restoreWallet } = await import('./recovery/restoreWallet.ts')
      const moved =
        'movedFrom' in walletStatus && walletStatus.movedFrom !== undefined
          ? { to: walletStatus.addresses.eip155, from: walletStatus.movedFrom }
          : undefined
      // A wallet that was brought here may have a successor: the user is prompted in that case.
      await restoreWallet(context, { origin, problem, moved, volatile, signal })
    } catch (error) {
      // The server requires recovery first.
      if (isError(error, 'LAST_FACTOR')) mayWait = false
      // Another browser was faster, or this one already had the wallet.
      else if (!isError(error, 'WALLET_EXISTS') && !isError(error, 'WALLET_NOT_ENROLLED'))
        throw error
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
  if (life === 'lasting' || isOwnPage(origin)) return undefined
  const { VolatileNotice } = await import('../screens/parts/VolatileNotice.tsx')
  return { Notice: VolatileNotice, life, projectId, socials }
}

/**
 * Requests that the browser does not free the space of the only copy of a wallet. The browser
 * decides, and may ask the user first.
 */
function keepStorage(): void {
  const { storage } = window.navigator
  storage?.persist?.().catch(() => {})
}

/** Whether the frame's own site asks, not a page around the frame. */
const isOwnPage = (origin: string) => origin === globalThis.location?.origin

async function savePicture(
  { session, store }: Pick<FrameContext, 'session' | 'store'>,
  choice: PictureChoice,
): Promise<void> {
  const user = await session.read()
  if (user) await store.put(pictureKey(user.userId), choice)
}

/** Loads a chunk next to the set-up: the suggested picture, and what it takes to choose another. */
async function preparePictures(): Promise<NonNullable<SetupProps<never>['pictures']>> {
  const [{ PictureField }, { drawPicture, suggestPicture }] = await Promise.all([
    import('../picture/PictureField.tsx'),
    import('../picture/drawings.ts'),
  ])
  return { Field: PictureField, suggested: suggestPicture(), draw: drawPicture }
}

import { type FrameProtocol, type Handlers, LatchkeyError } from '@latchkey/wire'
import { type FrameChain, hostChainId, parseChains } from '../chains.ts'
import type { FrameContext } from '../context.ts'
import type { FrameAccount } from './createAccount.ts'
import type { AccountTypes } from './notifyAccountType.ts'
import { preloadApprovals } from './preloadApprovals.ts'

type Answers = Pick<
  Handlers<FrameProtocol>,
  | 'APP_GET_USER'
  | 'APP_GET_CHAIN_ID'
  | 'APP_SWITCH_NETWORK'
  | 'APP_INIT_SMART_ACCOUNT'
  | 'APP_SET_PREFERRED_ACCOUNT'
  | 'APP_GET_SMART_ACCOUNT_ENABLED_NETWORKS'
>

/** How long a login waits for a network. */
const delegationMs = 2_000

/** Shows the page at `origin` who is signed in and on which network, once the user has agreed. */
export function accountHandlers(
  context: FrameContext,
  account: FrameAccount,
  { origin, types }: { readonly origin: string; readonly types: AccountTypes },
): Answers {
  const { screenQueue, session, facts } = context
  const smartChains = parseChains(facts).filter(({ smartAccounts }) => smartAccounts !== undefined)
  const requireAddresses = async (signal: AbortSignal) => {
    const addresses = await account.getSharedAddresses(signal)
    if (!addresses) throw new LatchkeyError('UNAUTHORIZED')
    return addresses
  }
  /**
   * Whether the account delegates to a pinned contract; false if the network does not respond in
   * time.
   */
  const isDelegated = async (chain: FrameChain, address: string) => {
    if (!chain.smartAccounts) return false
    const signal = AbortSignal.timeout(delegationMs)
    const late = new Promise<'none'>((done) => {
      signal.addEventListener('abort', () => done('none'))
    })
    const read = async () => {
      const { readDelegation } = await import('../requests/calls/readDelegation.ts')
      return readDelegation({ read: context.read, chain, signal }, address as `0x${string}`)
    }
    return (await Promise.race([read().catch(() => 'none'), late])) !== 'none'
  }
  return {
    APP_GET_USER: ({ chainId }, { signal }) =>
      screenQueue.during(async () => {
        await account.bindUser()
        const chain = account.getChain(chainId)
        // The project's setting can have changed since the page was loaded.
        if (!(await account.takeTrust()) && !(await account.hasConsent())) {
          const { showConsent } = await import('../flows/showConsent.ts')
          const { email, userName } = await account.requireUser()
          const hasEmail = email !== null
          await showConsent(screenQueue, { session, origin, hasEmail, userName, signal })
          await account.grantConsent({ withEmail: hasEmail })
        }
        const addresses = await account.getAddresses(signal)
        const { userName = null } = await account.requireUser()
        const email = await account.getSharedEmail()
        account.setChain(chain)
        const address = addresses[chain.namespace]
        const type = chain.namespace === 'eip155' ? await types.read(address) : 'eoa'
        if (chain.namespace === 'eip155') types.note({ address, type })
        preloadApprovals(context.window)
        const lacksRecovery = await account.lacksRecovery()
        return {
          email,
          userName,
          address,
          chainId: hostChainId(chain),
          accounts: [{ address, type }],
          smartAccountDeployed: type === 'smartAccount' && (await isDelegated(chain, address)),
          preferredAccountType: type,
          ...(lacksRecovery && { isRecoverable: false }),
        }
      }),
    APP_GET_CHAIN_ID: async () => ({ chainId: hostChainId(account.getChain(undefined)) }),
    APP_SWITCH_NETWORK: async ({ chainId }) => {
      const chain = account.getChain(chainId)
      account.setChain(chain)
      return { chainId: hostChainId(chain) }
    },
    APP_INIT_SMART_ACCOUNT: async (_, { signal }) => {
      const { eip155 } = await requireAddresses(signal)
      const chain = account.getChain(undefined, 'eip155')
      if (!chain.smartAccounts) throw new LatchkeyError('CHAIN_NOT_SUPPORTED')
      const { readDelegation } = await import('../requests/calls/readDelegation.ts')
      const question = { read: context.read, chain, signal }
      return {
        address: eip155,
        isDeployed: (await readDelegation(question, eip155 as `0x${string}`)) !== 'none',
      }
    },
    APP_SET_PREFERRED_ACCOUNT: async ({ type }, { signal }) => {
      const addresses = await requireAddresses(signal)
      const { namespace } = account.getChain(undefined)
      const address = addresses[namespace]
      if (namespace !== 'eip155') return { type: 'eoa', address }
      if (smartChains.length === 0) throw new LatchkeyError('CHAIN_NOT_SUPPORTED')
      // The site can only request it: the user decides on our own page.
      if ((await types.read(addresses.eip155)) !== type) {
        const { openPage } = await import('../flows/openPage.ts')
        await types.during(() => openPage(context, { page: 'smart-account', origin, signal }))
      }
      return { type: await types.read(addresses.eip155), address }
    },
    APP_GET_SMART_ACCOUNT_ENABLED_NETWORKS: () => ({
      smartAccountEnabledNetworks: smartChains.map(({ reference }) => Number(reference)),
    }),
  }
}

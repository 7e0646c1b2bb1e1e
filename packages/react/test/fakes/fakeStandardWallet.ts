/** A Solana account without a known key. */
export const solanaAddress = '4zvwRjXUKGfvwnParsHAS3HuSVzV5cA4McphgmoCtajS'

/** Registers a wallet of the Wallet Standard; returns how to take it away. */
export function registerSolana(name: string): () => void {
  const account = {
    address: solanaAddress,
    chains: ['solana:mainnet', 'solana:devnet'],
    features: ['solana:signMessage', 'solana:signAndSendTransaction'],
  }
  const wallet = {
    version: '1.0.0',
    name,
    icon: '',
    chains: account.chains,
    accounts: [] as object[],
    features: {
      'standard:connect': {
        connect: async (input?: { silent?: boolean }) => {
          if (!input?.silent) wallet.accounts = [account]
          return { accounts: wallet.accounts }
        },
      },
      'solana:signMessage': { signMessage: async () => [] },
      'solana:signAndSendTransaction': { signAndSendTransaction: async () => [] },
    },
  }
  type Api = { register: (wallet: unknown) => unknown }
  const hand = (api: Api) => api.register(wallet)
  dispatchEvent(new CustomEvent('wallet-standard:register-wallet', { detail: hand }))
  const receive = (event: Event) => hand((event as CustomEvent<Api>).detail)
  addEventListener('wallet-standard:app-ready', receive)
  return () => removeEventListener('wallet-standard:app-ready', receive)
}

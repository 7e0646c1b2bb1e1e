import { en, type SetupTexts } from './en.ts'

/** Labels for a wallet that has no way of recovery yet. */
export const backUpTexts: SetupTexts & { readonly later: string } = {
  ...en.setup,
  title: 'Back up your wallet',
  lead: 'Your wallet is only on this device. Without a backup, a lost device means a lost wallet, and so do cleared browser data and a closed private window. How do you want to get back in?',
  ask: {
    ...en.setup.ask,
    title: 'Back up your wallet with the operator’s help?',
    action: 'back it up',
  },
  make: 'Back up my wallet',
  making: 'Backing up your wallet',
  makingHint: 'The backup is made in this browser.',
  later: 'Later: until then, losing this device means losing the wallet',
}

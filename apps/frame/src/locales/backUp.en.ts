import { en, type SetupTexts } from './en.ts'

/** Labels for a wallet that has no way of recovery yet. */
export const backUpTexts: SetupTexts & { readonly later: string } = {
  ...en.setup,
  title: 'Back up your wallet',
  lead: 'Your wallet is only on this device. You lose it if you lose the device, clear the browser’s data or close a private window, or if the browser deletes data to free space. How do you want to get back in?',
  ask: {
    ...en.setup.ask,
    title: 'Back up your wallet with the operator’s help?',
    action: 'back it up',
  },
  make: 'Back up my wallet',
  making: 'Backing up your wallet',
  makingHint: 'The backup is made in this browser.',
  later: 'Later. If I lose this device before, I lose the wallet',
}

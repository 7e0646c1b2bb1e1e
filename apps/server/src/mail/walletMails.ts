import type { NewFactor, WalletAddresses } from '@latchkey/wire'
import type { Mail } from './mailer.ts'
import { composeMail } from './mailTexts.ts'

const unexpected =
  'If this is not you, send nothing to a wallet that you do not know. Remove the devices that you do not know in the settings of your wallet, and check who can read this mailbox.'

/** The notice for the owner after the wallet in use has signed that another one follows it. */
export const walletMovedMail = ({
  from,
  to,
}: {
  readonly from: WalletAddresses
  readonly to: WalletAddresses
}): Mail =>
  composeMail('Your account uses another wallet now', [
    `Your account now uses the wallet ${to.eip155} (on Solana ${to.solana}).`,
    `Before, it used ${from.eip155} (on Solana ${from.solana}). What is in that wallet stays there until you send it. You can use it until you delete it.`,
    unexpected,
  ])

/** The notice for the owner after a browser that does not hold a wallet has asked to drop it. */
export const dropStartedMail = ({ wallet }: { readonly wallet: string }): Mail =>
  composeMail('One of your wallets can be deleted tomorrow', [
    `Someone who is signed in to your account asked to delete your wallet ${wallet} in a browser that does not hold it. It can be deleted 24 hours after that request.`,
    'To keep the wallet, use it, or recover it with its printed kit.',
    unexpected,
  ])

/** The notice for the owner after a wallet was dropped. */
export const walletDroppedMail = ({ wallet }: { readonly wallet: string }): Mail =>
  composeMail('One of your wallets was deleted', [
    `Your wallet ${wallet} was deleted from the server. Only its recovery phrase opens it now.`,
    unexpected,
  ])

const factorNames: Record<NewFactor['kind'], string> = {
  passkey: 'a passkey',
  kit: 'a printed kit',
  operator: 'the help of the operator',
}

/** The notice for the owner after a new wallet got its first way of recovery without a code. */
export const firstFactorMail = ({ kind }: Pick<NewFactor, 'kind'>): Mail =>
  composeMail('Your new wallet was backed up', [
    `Your new wallet can be recovered with ${factorNames[kind]} now. This was set up in the browser that made the wallet, within 10 minutes and without a code.`,
    'If this is not you, send nothing to this wallet: the person who set this up can open it, also after a new key. Send what it holds to another wallet, and check who can use the browser.',
  ])

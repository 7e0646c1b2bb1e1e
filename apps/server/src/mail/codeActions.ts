/**
 * The action that a code allows. `subject` follows "is your code to"; `text` is the sentence that
 * names the action and its target.
 */
export type CodeAction = {
  readonly subject: string
  readonly text: string
  readonly caution?: string
}

type Target = { readonly wallet: string | undefined }
type Factor = Target & { readonly kind: 'passkey' | 'kit' | 'operator' }

const ways = {
  passkey: 'a passkey',
  kit: 'a printed kit',
  operator: 'the operator’s help by email',
} as const
const of = (wallet: string | undefined) =>
  wallet === undefined ? 'your wallet' : `your wallet ${wallet}`
const whole = 'Anyone who enters the code can do this and nothing else.'

/** The action of every code in words, for the mail that contains the code. */
export const codeActions = {
  signIn: ({ origin }: { readonly origin: string }): CodeAction => ({
    subject: 'sign in',
    text: `Sign in on ${origin}.`,
  }),
  signInToExport: (): CodeAction => ({
    subject: 'sign in and see your recovery phrase',
    text: 'Sign in and show the recovery phrase of your wallet in a browser that holds it.',
    caution: whole,
  }),
  recover: ({ wallet, browser }: Target & { readonly browser: string }): CodeAction => ({
    subject: 'recover your wallet',
    text: `Recover ${of(wallet)} with the operator’s help, in ${browser}.`,
    caution: 'That browser can then sign on your behalf.',
  }),
  add: ({ wallet, kind }: Factor): CodeAction => ({
    subject: `add ${ways[kind]}`,
    text: `Add ${ways[kind]} that recovers ${of(wallet)}.`,
    caution: whole,
  }),
  drop: ({ wallet, kind, label }: Factor & { readonly label: string | null }): CodeAction => ({
    subject: `remove ${ways[kind]}`,
    text: `Remove ${ways[kind]}${label ? `, “${label}”,` : ''} from the recovery methods of ${of(wallet)}.`,
    caution: whole,
  }),
  newKey: ({ wallet }: Target): CodeAction => ({
    subject: 'replace your recovery methods',
    text: `Make a new key for ${of(wallet)}. After that, only the new printed kit recovers it; every earlier recovery method stops working.`,
    caution: whole,
  }),
  remove: ({ wallet, other }: Target & { readonly other: string | undefined }): CodeAction => ({
    subject: other === undefined ? 'delete your wallet' : 'delete your two wallets',
    text: `Delete ${of(wallet)}${other === undefined ? '' : `, ${of(other)}`} and everything that the server stores about you, immediately and permanently.`,
    caution: 'Without the recovery phrase, everything in the wallet is lost.',
  }),
  create: ({ wallet }: Target): CodeAction => ({
    subject: 'create a wallet to move to',
    text: `Create a new wallet to move to, and keep ${of(wallet)}.`,
    caution: whole,
  }),
  erase: ({ wallet }: Target): CodeAction => ({
    subject: 'delete a wallet that you do not use',
    text: `Delete ${of(wallet)}, which is not in use, from the server, immediately and permanently.`,
    caution: 'Without its recovery phrase, everything in that wallet is lost.',
  }),
  lose: ({ wallet }: Target): CodeAction => ({
    subject: 'report your passkey as lost',
    text: `Report that the passkey of ${of(wallet)} cannot be used. From tomorrow, and for one week, codes like this one are enough.`,
    caution: 'Using the passkey before then cancels this.',
  }),
  link: ({ provider }: { readonly provider: string }): CodeAction => ({
    subject: `add ${provider} as a sign-in`,
    text: `Add a sign-in at ${provider} to your account.`,
    caution:
      'Anyone who enters the code can add their own sign-in, and then sign in to your account with it.',
  }),
  unlink: ({ provider }: { readonly provider: string }): CodeAction => ({
    subject: `remove the sign-in at ${provider}`,
    text: `Remove the sign-in at ${provider} from your account.`,
    caution: whole,
  }),
  allow: ({ wallet, origin }: Target & { readonly origin: string }): CodeAction => ({
    subject: 'let others take assets without a limit',
    text: `Approve a request from ${origin} to ${of(wallet)}: others may then take all that you have of an asset, at any time.`,
    caution: whole,
  }),
  show: ({ wallet }: Target): CodeAction => ({
    subject: 'see your recovery phrase',
    text: `Show the recovery phrase of ${of(wallet)}. Anyone who has the phrase controls everything in the wallet.`,
    caution: whole,
  }),
} as const

/** What a code does: `subject` follows "is your code to", `text` is the sentence that names the action and its target. */
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
  operator: 'the operator’s help by e-mail',
} as const
const of = (wallet: string | undefined) =>
  wallet === undefined ? 'your wallet' : `your wallet ${wallet}`
const whole = 'Whoever enters it can do this and nothing else.'

/** Every code's action in words, for the mail that brings the code. */
export const codeActions = {
  signIn: ({ origin }: { readonly origin: string }): CodeAction => ({
    subject: 'sign in',
    text: `Sign in on ${origin}.`,
  }),
  signInToExport: (): CodeAction => ({
    subject: 'sign in and see your recovery phrase',
    text: 'Sign in, and show the recovery phrase of your wallet in a browser that holds it.',
    caution: whole,
  }),
  recover: ({ wallet, browser }: Target & { readonly browser: string }): CodeAction => ({
    subject: 'recover your wallet',
    text: `Recover ${of(wallet)} with the operator’s help, in ${browser}.`,
    caution: 'Then that browser can sign in your name.',
  }),
  add: ({ wallet, kind }: Factor): CodeAction => ({
    subject: `add ${ways[kind]}`,
    text: `Add ${ways[kind]} that recovers ${of(wallet)}.`,
    caution: whole,
  }),
  drop: ({ wallet, kind, label }: Factor & { readonly label: string | null }): CodeAction => ({
    subject: `remove ${ways[kind]}`,
    text: `Remove ${ways[kind]}${label ? `, “${label}”,` : ''} from the ways that recover ${of(wallet)}.`,
    caution: whole,
  }),
  newKey: ({ wallet }: Target): CodeAction => ({
    subject: 'replace the ways of recovery',
    text: `Make a new key for ${of(wallet)}: only the new printed kit recovers it then, and every way before ends.`,
    caution: whole,
  }),
  remove: ({ wallet }: Target): CodeAction => ({
    subject: 'delete your wallet',
    text: `Delete ${of(wallet)} and everything the server has of you, at once and for good.`,
    caution: 'Without the recovery phrase, what is in it is lost.',
  }),
  show: ({ wallet }: Target): CodeAction => ({
    subject: 'see your recovery phrase',
    text: `Show the recovery phrase of ${of(wallet)}. Whoever has it has what is in the wallet.`,
    caution: whole,
  }),
} as const

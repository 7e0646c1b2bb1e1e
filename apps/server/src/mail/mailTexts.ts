import type { CodeAction } from './codeActions.ts'
import type { Mail } from './mailer.ts'

type Paragraph =
  | string
  | { readonly code: string }
  | { readonly stress: string }
  | { readonly link: string; readonly label: string }

const warning =
  'Nobody of ours will ever ask you for this code, not by mail, not by phone and not in a chat. Who asks is not us.'

/** The link that lets a new browser ask for a code. The two digits are not in it: they are on the other screen. */
export const deviceLinkMail = (parameters: {
  origin: string
  browser: string
  link: string
}): Mail =>
  composeMail('Approve your new browser', [
    `Somebody wants to sign in to ${parameters.origin} with this e-mail address, in ${parameters.browser}.`,
    'If that is you, open this link. It asks for the two digits that the page you came from shows.',
    { link: parameters.link, label: 'Look at the request' },
    'The link is good for 10 minutes. Opening it approves nothing yet.',
    'If it is not you, do nothing: without you nobody gets in.',
  ])

/** The code of a login, and the one thing it does. `matchCode` also stands on the page that asks for the code. */
export const codeMail = (parameters: {
  origin: string
  code: string
  matchCode: string
  action: CodeAction
}): Mail =>
  composeMail(`${parameters.code} is your code to ${parameters.action.subject}`, [
    'This code is for one thing:',
    { stress: parameters.action.text },
    ...(parameters.action.caution === undefined ? [] : [parameters.action.caution]),
    `If that is what you are doing, enter it on ${parameters.origin}:`,
    { code: parameters.code },
    `The page you enter it on shows the number ${parameters.matchCode}. If yours shows another one, do not enter it.`,
    'It is good for 10 minutes and works once.',
    warning,
    'If you did not ask for it, do nothing: it works only in the browser that asked.',
  ])

/** The code that the present address of an account gets before it is replaced by `to`; the code is good for that one alone. */
export const currentAddressMail = ({ code, to }: { code: string; to: string }): Mail =>
  composeMail(`${code} is your code to change your e-mail address`, [
    'Change your e-mail address to',
    { stress: to },
    'Somebody who is signed in to your account wants this: from then on your codes go there. If that is you and the address is right to the letter, enter this code:',
    { code },
    'It is good for 10 minutes and works once.',
    warning,
    'If it is not you, do not enter it anywhere, and sign out everywhere in the settings of your wallet.',
  ])

/** The code that the new address gets. It does not name the one before: this may be a stranger's mailbox. */
export const newAddressMail = ({ code, to }: { code: string; to: string }): Mail =>
  composeMail(`${code} is your code to change your e-mail address`, [
    'Change your e-mail address to',
    { stress: to },
    'To sign in to your wallet with it from now on, enter this code:',
    { code },
    'It is good for 10 minutes and works once.',
    warning,
    'If you did not ask for it, do nothing.',
  ])

/** What the owner of an address gets that somebody else wanted for his account. */
export const addressInUseMail = (): Mail =>
  composeMail('Somebody wanted to use your e-mail address', [
    'Somebody wanted to use this e-mail address for another account. It is yours, so nothing has changed and nothing was told to them.',
    'If it was you: this address already opens a wallet of its own. Sign in with it.',
  ])

/** What the old address gets when it was replaced. */
export const addressReplacedMail = ({ link, to }: { link: string; to: string }): Mail =>
  composeMail('Your e-mail address was changed', [
    'The e-mail address of your account was changed to',
    { stress: to },
    'From now on codes go there. All other browsers were signed out.',
    'If it was not you, undo it within 72 hours. That makes this address yours again and signs out every browser that does not hold the wallet:',
    { link, label: 'Undo the change' },
    'Until then nobody can recover the wallet by e-mail.',
  ])

/** What the new address gets when it has become the account's. */
export const addressAddedMail = (): Mail =>
  composeMail('This is your new e-mail address', [
    'From now on you sign in to your wallet with this e-mail address.',
    'For 72 hours the address before can undo this, and the wallet cannot be recovered by e-mail.',
  ])

/** What both addresses get when a change was undone. */
export const changeUndoneMail = (): Mail =>
  composeMail('A change of e-mail address was undone', [
    'The change of the e-mail address of your account was undone with the link in the mail to the address before. Every browser that does not hold the wallet was signed out.',
  ])

/** What the user's address gets when somebody has asked the operator for the wallet's recovery key. */
export const recoveryStartedMail = ({ link, hours }: { link: string; hours: number }): Mail =>
  composeMail('Your wallet is being recovered in another browser', [
    hours > 0
      ? `Somebody with a code from this mailbox has asked for your wallet in another browser. It opens there in ${hours} hours.`
      : 'Somebody with a code from this mailbox has recovered your wallet in another browser.',
    ...(hours > 0 ? ['A browser that holds your wallet shows this too, and can stop it.'] : []),
    'If it is not you, say no now, and check who can read this mailbox:',
    { link, label: 'Stop the recovery' },
  ])

function composeMail(subject: string, paragraphs: readonly Paragraph[]): Mail {
  const all = [
    ...paragraphs,
    'This mail was sent once, by a machine. Nothing in it tells us that you have read it.',
  ]
  return {
    subject,
    text: `${all.map(asText).join('\n\n')}\n`,
    html: `<!doctype html><html lang="en"><head><meta charset="utf-8"><title>${escapeHtml(subject)}</title></head><body style="margin:0;padding:24px;background:#f4f4f5;color:#18181b;font:16px/1.5 system-ui,sans-serif"><div style="max-width:480px;margin:0 auto;padding:24px;background:#ffffff;border-radius:16px">${all.map(asHtml).join('')}</div></body></html>`,
  }
}

function asText(part: Paragraph): string {
  if (typeof part === 'string') return part
  if ('stress' in part) return part.stress
  return 'code' in part ? `    ${part.code}` : part.link
}

function asHtml(part: Paragraph): string {
  if (typeof part === 'string') return `<p>${escapeHtml(part)}</p>`
  if ('stress' in part)
    return `<p dir="auto" style="font-weight:600;overflow-wrap:anywhere">${escapeHtml(part.stress)}</p>`
  if ('code' in part)
    return `<p style="font-size:32px;font-weight:600;letter-spacing:6px">${escapeHtml(part.code)}</p>`
  const href = escapeHtml(part.link)
  return `<p><a href="${href}" style="display:inline-block;padding:12px 20px;border-radius:12px;background:#18181b;color:#ffffff;text-decoration:none">${escapeHtml(part.label)}</a></p><p style="font-size:13px;overflow-wrap:anywhere">${href}</p>`
}

const marks: Record<string, string> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
}
const escapeHtml = (text: string) => text.replace(/[&<>"']/g, (mark) => marks[mark] ?? '')

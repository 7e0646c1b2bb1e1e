import type { CodeAction } from './codeActions.ts'
import type { Mail } from './mailer.ts'

type Paragraph =
  | string
  | { readonly code: string }
  | { readonly stress: string }
  | { readonly link: string; readonly label: string }

const warning =
  'We will never ask you for this code, whether by mail, by phone or in a chat. Anyone who does is not us.'

/**
 * The link with which a person approves a new browser, and the code that counts after that. The
 * mail does not contain the two digits: the other screen shows them.
 */
export const deviceLinkMail = (parameters: {
  origin: string
  browser: string
  link: string
  /** Empty if the page shows no digits. */
  matchCode: string
  /** Undefined if the code has its own mail. */
  code: string | undefined
}): Mail =>
  composeMail('Approve your new browser', [
    `Someone wants to sign in to ${parameters.origin} with this email address, using ${parameters.browser}.`,
    parameters.matchCode === ''
      ? 'If you have just started this yourself, open the link below. It asks you to confirm that.'
      : 'If this is you, open the link below. It asks for the two digits shown on the page where you started.',
    { link: parameters.link, label: 'Review the request' },
    ...(parameters.code === undefined
      ? ['The link is valid for 10 minutes. Opening it does not approve anything yet.']
      : [
          'Then enter this code on the page where you started:',
          { code: parameters.code },
          'The link and the code are valid for 10 minutes. Opening the link does not approve anything yet, and the code works only after that, once, in the browser that requested it. Do not forward this mail.',
          warning,
        ]),
    'If this is not you, you do not need to do anything. No one can sign in without your approval.',
  ])

/**
 * The code of a login and the one action that it allows. The page that asks for the code also shows
 * `matchCode`, unless that is empty.
 */
export const codeMail = (parameters: {
  origin: string
  code: string
  matchCode: string
  action: CodeAction
}): Mail =>
  composeMail(`${parameters.code} is your code to ${parameters.action.subject}`, [
    'This code allows one thing:',
    { stress: parameters.action.text },
    ...(parameters.action.caution === undefined ? [] : [parameters.action.caution]),
    `If this is what you are doing, enter the code on ${parameters.origin}:`,
    { code: parameters.code },
    ...(parameters.matchCode === ''
      ? []
      : [
          `The page that asks for the code shows the number ${parameters.matchCode}. If you see a different number, do not enter the code.`,
        ]),
    'The code is valid for 10 minutes and works once.',
    warning,
    'If you did not request this code, you can ignore this mail. The code works only in the browser that requested it.',
  ])

/** Notifies the owner that codes will be enough again without a passkey. */
export const passkeyLostMail = (): Mail =>
  composeMail('Your passkey was reported as lost', [
    'Someone who is signed in to your account reported that your passkey cannot be used.',
    'From tomorrow, and for one week, a code sent to this address is enough to change your account.',
    'If this is not you, use your passkey once: sign in with it, or confirm anything in the settings of your wallet. That ends this at once. Then sign out everywhere.',
  ])

/**
 * The code for the current address of an account before `to` replaces it. It is valid for that
 * address only.
 */
export const currentAddressMail = ({ code, to }: { code: string; to: string }): Mail =>
  composeMail(`${code} is your code to change your email address`, [
    'Change your email address to',
    { stress: to },
    'Someone who is signed in to your account wants to make this change. After it, your codes are sent to the new address. If this is you and the address is exactly right, enter this code:',
    { code },
    'The code is valid for 10 minutes and works once.',
    warning,
    'If this is not you, do not enter the code anywhere. Sign out everywhere in the settings of your wallet.',
  ])

/**
 * The code for the new address. It does not name the current address, because the mailbox may
 * belong to another person.
 */
export const newAddressMail = ({ code, to }: { code: string; to: string }): Mail =>
  composeMail(`${code} is your code to change your email address`, [
    'Change your email address to',
    { stress: to },
    'To sign in to your wallet with this address from now on, enter this code:',
    { code },
    'The code is valid for 10 minutes and works once.',
    warning,
    'If you did not request this code, you can ignore this mail.',
  ])

/** The code for the first address of an account that has only signed in at providers. */
export const firstAddressMail = ({ code, to }: { code: string; to: string }): Mail =>
  composeMail(`${code} is your code to add your email address`, [
    'Add this email address to your account',
    { stress: to },
    'To sign in to your wallet with this address too, enter this code:',
    { code },
    'The code is valid for 10 minutes and works once.',
    warning,
    'If you did not request this code, do not enter it anywhere: it belongs to the account of someone else. You can ignore this mail.',
  ])

/** The notice for the owner of an address that someone else tried to use for another account. */
export const addressInUseMail = (): Mail =>
  composeMail('Someone tried to use your email address', [
    'Someone tried to use this email address for another account. The address belongs to you, so nothing has changed, and they did not learn anything about you.',
    'If this was you: the address already has its own wallet. Use the address to sign in to that wallet.',
  ])

/** The notice for the old address after it was replaced. */
export const addressReplacedMail = ({ link, to }: { link: string; to: string }): Mail =>
  composeMail('Your email address was changed', [
    'The email address of your account was changed to',
    { stress: to },
    'Your codes are now sent to the new address. All other browsers were signed out.',
    'If this was not you, undo the change within 72 hours. This restores your address and signs out every browser that does not hold the wallet:',
    { link, label: 'Undo the change' },
    'During these 72 hours, no one can recover the wallet by email.',
  ])

/** The notice for the new address after the change. */
export const addressAddedMail = (): Mail =>
  composeMail('This is your new email address', [
    'You now sign in to your wallet with this email address.',
    'For 72 hours, the change can be undone from the previous address, and the wallet cannot be recovered by email.',
  ])

/** The notice for the first address of an account. */
export const firstAddressAddedMail = (): Mail =>
  composeMail('Your email address was added to your account', [
    'You now also sign in to your wallet with this email address. Your other ways to sign in stay.',
  ])

/** The notice for an address that its account no longer has. */
export const addressRemovedMail = (): Mail =>
  composeMail('Your email address was removed from your account', [
    'You no longer sign in to your wallet with this email address. Your other ways to sign in stay.',
  ])

/**
 * The notice for an earlier address whose link to undo a change ended, because the address that
 * came after it was removed.
 */
export const undoEndedMail = (): Mail =>
  composeMail('The link to undo the change of your email address has ended', [
    'The email address that replaced this address was removed from your account. The link that we sent you to undo the change no longer works.',
    'This was confirmed with a sign-in that the account had before its first email address, or with a passkey that it has had for three days.',
    'If this is not you, sign in as you did before the account had an email address, and remove the devices that you do not know in the settings of your wallet.',
  ])

/** The notice for both addresses after a change was undone. */
export const changeUndoneMail = (): Mail =>
  composeMail('A change of your email address was undone', [
    'The change of your account’s email address was undone with the link that was sent to the previous address. Every browser that does not hold the wallet was signed out.',
  ])

/** The notice for the user after someone requested the wallet's recovery key from the operator. */
export const recoveryStartedMail = ({ link, hours }: { link: string; hours: number }): Mail =>
  composeMail('Your wallet is being recovered in another browser', [
    hours > 0
      ? `Someone with a code from this mailbox has requested your wallet in another browser. The wallet opens there in ${hours} hours.`
      : 'Someone with a code from this mailbox has recovered your wallet in another browser.',
    ...(hours > 0
      ? ['Any browser that holds your wallet also shows this request and can stop it.']
      : []),
    'If this is not you, stop the recovery now, and check who can read this mailbox:',
    { link, label: 'Stop the recovery' },
  ])

/** Composes a mail of these paragraphs, as text and as HTML. */
export function composeMail(subject: string, paragraphs: readonly Paragraph[]): Mail {
  const all = [
    ...paragraphs,
    'This mail was sent automatically. Nothing in it tells us whether you have read it.',
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
  return `<p><a href="${href}" clicktracking="off" data-pm-no-track style="display:inline-block;padding:12px 20px;border-radius:12px;background:#18181b;color:#ffffff;text-decoration:none">${escapeHtml(part.label)}</a></p><p style="font-size:13px;overflow-wrap:anywhere">${href}</p>`
}

const marks: Record<string, string> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
}
const escapeHtml = (text: string) => text.replace(/[&<>"']/g, (mark) => marks[mark] ?? '')

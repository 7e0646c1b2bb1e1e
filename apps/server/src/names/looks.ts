/**
 * The looks of a label. Characters that are easily confused become one character: the confusables
 * of Unicode TR 39 that a name may contain, and pairs that look like one letter. Two names with the
 * same looks are never both registered.
 */
export const getSkeleton = (label: string): string =>
  label
    .replaceAll('vv', 'w')
    .replaceAll('rn', 'm')
    .replaceAll('0', 'o')
    .replace(/[1i]/g, 'l')
    .replaceAll('5', 's')

/** Whether a label is reserved for the operator, or looks like a reserved label. */
export function isReserved(label: string, zone: string): boolean {
  const skeleton = getSkeleton(label)
  const words = skeleton.split('-')
  const [product = ''] = zone.split('.')
  return (
    reservedLooks.has(skeleton) ||
    // `latchkey-help` would appear to speak for the operator, just like `latchkey`.
    words.some((word) => word === getSkeleton(product) || speakingLooks.has(word))
  )
}

/**
 * Reserved as any part of a label between hyphens, because they appear to speak for the operator.
 */
const speaking = ['admin', 'administrator', 'official', 'support', 'helpdesk', 'security', 'staff']
const reserved = [
  'abuse account accounts api app auth backup bank billing blog bridge cdn chain claim contact demo dev dns docs email ens faq',
  'faucet frame ftp gateway help home host hostmaster imap info invoice kms legal login logout mail mailer manager master me mod',
  'moderator news noreply no-reply null office operator owner pay payment payments pop postmaster press privacy recover recovery',
  'refund register relay root rpc sales secure server service shop signin signup smtp ssl staging status store swap system team',
  'terms test token treasury undefined user vault verification verify wallet web webmaster whois www',
]
  .join(' ')
  .split(' ')

const speakingLooks = new Set(speaking.map(getSkeleton))
const reservedLooks = new Set(reserved.map(getSkeleton))

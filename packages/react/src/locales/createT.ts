import type { AlertCode, ErrorCode } from '@latchkey/wire'
import type { enActivityDetail } from './activity/enActivityDetail.ts'
import type { enActivityTools } from './activity/enActivityTools.ts'
import type { en } from './en.ts'
import type { enActivity } from './enActivity.ts'
import type { enAdded } from './enAdded.ts'
import type { enAllowances } from './enAllowances.ts'
import type { enBuy } from './enBuy.ts'
import type { enConnecting } from './enConnecting.ts'
import type { enDownloads } from './enDownloads.ts'
import type { enHelp } from './enHelp.ts'
import type { enHoldings } from './enHoldings.ts'
import type { enLogin } from './enLogin.ts'
import type { enNames } from './enNames.ts'
import type { enNamespaces } from './enNamespaces.ts'
import type { enNetworks } from './enNetworks.ts'
import type { enPairing } from './enPairing.ts'
import type { enSessions } from './enSessions.ts'
import type { enSignIns } from './enSignIns.ts'
import type { enSwap } from './enSwap.ts'
import type { enToken } from './enToken.ts'
import type { enConfirmations } from './review/enConfirmations.ts'
import type { enReview } from './review/enReview.ts'
import type { enBackup } from './wallet/enBackup.ts'
import type { enWallets } from './wallet/enWallets.ts'

type English = typeof en &
  typeof enActivity &
  typeof enActivityDetail &
  typeof enActivityTools &
  typeof enAdded &
  typeof enAllowances &
  typeof enBackup &
  typeof enBuy &
  typeof enConfirmations &
  typeof enConnecting &
  typeof enDownloads &
  typeof enHelp &
  typeof enHoldings &
  typeof enLogin &
  typeof enNames &
  typeof enNamespaces &
  typeof enNetworks &
  typeof enPairing &
  typeof enReview &
  typeof enSessions &
  typeof enSignIns &
  typeof enSwap &
  typeof enToken &
  typeof enWallets

type Plural = Partial<Record<Intl.LDMLPluralRule, string>> & { other: string }

/** A message, or a message per plural form of `{count}`. */
export type Message = string | Plural
export type MessageKey = keyof English
/** The key of the message that people read for an error. */
export type ErrorKey = `error.${ErrorCode}`
/** Any part of the catalog, in any language. Missing messages fall back to English. */
export type Messages = {
  readonly [Key in MessageKey]?: English[Key] extends string ? string : Message
} & {
  /** The message that people read for an error, filled with the data of the error. */
  readonly [Key in ErrorKey]?: string
} & {
  /** The second sentence of an alert, filled with the data of the error. */
  readonly [Key in `alert.${AlertCode}`]?: string
}

type MessageText<Value> = Value extends string
  ? Value
  : Value extends { other: infer Text }
    ? Text
    : never
type Names<Text> = Text extends `${string}{${infer Name}}${infer Rest}` ? Name | Names<Rest> : never
type Fill<Value> = [Names<MessageText<Value>>] extends [never]
  ? []
  : [data: Record<Names<MessageText<Value>>, string | number>]

/** The keys of the messages without placeholders. */
export type PlainKey<Catalog> = {
  [Key in keyof Catalog]: Fill<Catalog[Key]> extends [] ? Key : never
}[keyof Catalog]

/**
 * Returns the message of a key: English, unless the app provides its own. Numbers are formatted for
 * the locale.
 */
export type T<Catalog> = <Key extends keyof Catalog>(
  key: Key,
  ...fill: Fill<Catalog[Key]>
) => string

/** English messages by key. */
export type Texts = Readonly<Record<string, Message>>

/** Creates the function that looks up messages in `messages`, then in the catalogs. */
export function createT<Catalog extends Texts>(
  catalogues: readonly Texts[],
  { locale, messages }: { locale: string; messages: Messages },
): T<Catalog> {
  const sources: readonly Readonly<Record<PropertyKey, Message | undefined>>[] = [
    messages,
    ...catalogues,
  ]
  return (key, ...[data]) => {
    const message = sources.find((texts) => texts[key] !== undefined)?.[key]
    if (message === undefined) return String(key)
    const fill: Record<string, string | number> = data ?? {}
    return fillText(choose(message, { locale, count: fill.count }), { locale, fill })
  }
}

function choose(
  message: Message,
  { locale, count }: { locale: string; count: string | number | undefined },
): string {
  if (typeof message === 'string') return message
  const rule = new Intl.PluralRules(locale).select(Number(count ?? 0))
  return message[rule] ?? message.other
}

/** Fills each `{name}` of a message; numbers are formatted for the locale. */
export function fillText(
  text: string,
  { locale, fill }: { locale: string; fill: Record<string, string | number> },
): string {
  return text.replace(/\{(\w+)\}/g, (whole, name: string) => {
    const value = fill[name]
    if (value === undefined) return whole
    return typeof value === 'number' ? value.toLocaleString(locale) : value
  })
}

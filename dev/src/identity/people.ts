import { createHash } from 'node:crypto'

/** The identities to choose from. Any other word works as well. */
export const people = ['ada', 'grace', 'linus'] as const

/** What a provider knows of an identity. Its number is the same for the same word. */
export const describePerson = (id: string) => ({
  sub: id,
  number: createHash('sha256').update(id).digest().readUIntBE(0, 5) + 1,
  name: `${id.slice(0, 1).toUpperCase()}${id.slice(1)}`,
  // The same address at every provider: it must never join two accounts.
  email: `${id}@example.com`,
})

/** The answer of a provider's own API for the user, by the provider that is played. */
export function describeUser(provider: string, id: string): Record<string, unknown> {
  const { number, name, email } = describePerson(id)
  if (provider === 'x') return { data: { id: String(number), username: id, name } }
  if (provider === 'discord') return { id: String(number), username: id, global_name: name, email }
  if (provider === 'facebook') return { id: String(number), name }
  return { id: number, login: id, name, email }
}

import { createHash } from 'node:crypto'

/** The identities to choose from. Any other word works as well. */
export const people = ['ada', 'grace', 'linus'] as const

/** A provider's data about an identity. The same word always has the same number. */
export const describePerson = (id: string) => ({
  sub: id,
  number: createHash('sha256').update(id).digest().readUIntBE(0, 5) + 1,
  name: `${id.slice(0, 1).toUpperCase()}${id.slice(1)}`,
  // The same address at every provider: the server must never merge two accounts because of it.
  email: `${id}@example.com`,
})

/** The response of a simulated provider's user API. */
export function describeUser(provider: string, id: string): Record<string, unknown> {
  const { number, name, email } = describePerson(id)
  if (provider === 'x') return { data: { id: String(number), username: id, name } }
  if (provider === 'discord') return { id: String(number), username: id, global_name: name, email }
  if (provider === 'facebook') return { id: String(number), name }
  return { id: number, login: id, name, email }
}

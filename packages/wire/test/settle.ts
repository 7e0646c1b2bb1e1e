/** Lets messages between ports arrive: some turns of the loop, however long they take. */
export async function settle(): Promise<void> {
  await new Promise((resolve) => setTimeout(resolve, 5))
  for (let turn = 0; turn < 20; turn++) await new Promise((resolve) => setImmediate(resolve))
}

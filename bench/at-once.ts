/** Does something so many times, with as many at once as there are clients. */
export async function atOnce(clients: number, times: number, work: (index: number) => Promise<unknown>): Promise<void> {
  let next = 0;
  const client = async () => {
    while (next < times) {
      const index = next;
      next += 1;
      await work(index);
    }
  };
  await Promise.all(Array.from({ length: clients }, client));
}

/** Whether only this machine reaches an address. Not a name that merely begins like one of its addresses. */
export function isLoopback(address: string): boolean {
  return address === "localhost" || address === "::1" || /^127(?:\.\d{1,3}){3}$/.test(address);
}

import { createContext, useContext, type ReactNode } from 'react';
import type { Schemas } from '../api/shell-api.js';

type Profile = Schemas['ProfileView'];

const Me = createContext<Profile | undefined>(undefined);

export function MeProvider({ profile, children }: { readonly profile: Profile; readonly children: ReactNode }) {
  return <Me.Provider value={profile}>{children}</Me.Provider>;
}

/** The person who is signed in. */
export function useMe(): Profile {
  const profile = useContext(Me);
  if (profile === undefined) throw new Error('useMe outside the signed-in part of the page');
  return profile;
}

/** `can('users:write')`: what the page shows goes by the person's permissions; the server decides again. */
export function useCan(): (permission: string) => boolean {
  const { permissions } = useMe();
  return (permission) => permissions.includes(permission);
}

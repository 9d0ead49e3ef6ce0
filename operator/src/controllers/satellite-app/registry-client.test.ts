import { Code, ConnectError } from '@connectrpc/connect';
import { isOutage } from './registry-client.js';

describe('an outage of the Shell', () => {
  it.each([Code.Unavailable, Code.DeadlineExceeded, Code.Internal, Code.Unknown])('is code %s', (code) => {
    expect(isOutage(new ConnectError('x', code))).toBe(true);
  });

  it('is an error of the network', () => {
    expect(isOutage(new Error('socket hang up'))).toBe(true);
  });

  it.each([Code.Canceled, Code.InvalidArgument, Code.NotFound, Code.AlreadyExists, Code.PermissionDenied, Code.Unauthenticated, Code.ResourceExhausted, Code.FailedPrecondition, Code.Aborted, Code.OutOfRange, Code.Unimplemented, Code.DataLoss])('is not code %s', (code) => {
    expect(isOutage(new ConnectError('x', code))).toBe(false);
  });
});

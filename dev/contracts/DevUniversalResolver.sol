// SPDX-License-Identifier: MIT
pragma solidity ^0.8.24;

interface IResolvers {
    function resolver(bytes32 node) external view returns (address);
}

interface IExtended {
    function resolve(bytes calldata name, bytes calldata data) external view returns (bytes memory);
    function supportsInterface(bytes4 id) external view returns (bool);
}

interface IBatchGateway {
    struct Request { address sender; string[] urls; bytes data; }

    function query(Request[] calldata requests) external view returns (bool[] memory failures, bytes[] memory responses);
}

/// The part of ENS's universal resolver that clients call on a development chain: forward and
/// reverse, on chain or through a server (EIP-3668). `fallbackResolver` resolves addresses without
/// a reverse record.
contract DevUniversalResolver {
    IResolvers private immutable _registry;
    address private immutable _fallbackResolver;

    /// The state of a lookup while a server responds: `step` 0 is a forward lookup, 1 the name of
    /// an address, 2 its check.
    struct Lookup {
        address resolver;
        bytes4 callback;
        bytes extraData;
        bool wrapped;
        uint8 step;
        address account;
        string name;
        string[] gateways;
    }

    error OffchainLookup(address sender, string[] urls, bytes callData, bytes4 callbackFunction, bytes extraData);
    error ResolverNotFound(bytes name);
    error ResolverError(bytes errorData);
    error ReverseAddressMismatch(string primary, bytes primaryAddress);

    constructor(IResolvers registry, address fallbackResolver) {
        _registry = registry;
        _fallbackResolver = fallbackResolver;
    }

    function resolveWithGateways(bytes calldata name, bytes calldata data, string[] calldata gateways)
        external
        view
        returns (bytes memory, address)
    {
        Lookup memory lookup;
        lookup.gateways = gateways;
        (lookup.resolver,) = _find(name, 0);
        return (_ask(lookup, name, data), lookup.resolver);
    }

    function reverseWithGateways(bytes calldata account, uint256, string[] calldata gateways)
        external
        view
        returns (string memory, address, address)
    {
        require(account.length == 20, "an EVM address is expected");
        Lookup memory lookup;
        lookup.gateways = gateways;
        lookup.step = 1;
        lookup.account = address(bytes20(account));
        bytes memory name = _reverseName(lookup.account);
        bytes32 node = _namehash(name, 0);
        lookup.resolver = _registry.resolver(node);
        if (lookup.resolver == address(0)) lookup.resolver = _fallbackResolver;
        return _check(lookup, abi.decode(_ask(lookup, name, abi.encodeWithSignature("name(bytes32)", node)), (string)));
    }

    /// Continues with the gateway's response.
    function proceed(bytes calldata response, bytes calldata extraData) external view {
        Lookup memory lookup = abi.decode(extraData, (Lookup));
        (bool[] memory failures, bytes[] memory responses) = abi.decode(response, (bool[], bytes[]));
        if (failures[0]) revert ResolverError(responses[0]);
        (bool done, bytes memory returned) =
            lookup.resolver.staticcall(abi.encodeWithSelector(lookup.callback, responses[0], lookup.extraData));
        if (!done) revert ResolverError(returned);
        bytes memory result = abi.decode(returned, (bytes));
        bytes memory output;
        if (lookup.step == 0) {
            output = abi.encode(result, lookup.resolver);
        } else if (lookup.step == 1) {
            (string memory name, address resolver, address reverseResolver) = _check(lookup, abi.decode(result, (string)));
            output = abi.encode(name, resolver, reverseResolver);
        } else {
            (string memory name, address resolver, address reverseResolver) = _compare(lookup, result);
            output = abi.encode(name, resolver, reverseResolver);
        }
        assembly {
            return(add(output, 32), mload(output))
        }
    }

    /// Checks whether the name resolves to the address.
    function _check(Lookup memory lookup, string memory name) private view returns (string memory, address, address) {
        if (bytes(name).length == 0) return ("", address(0), lookup.resolver);
        bytes memory encoded = _encodeName(name);
        Lookup memory forward;
        forward.gateways = lookup.gateways;
        forward.step = 2;
        forward.account = lookup.account;
        forward.name = name;
        (forward.resolver,) = _find(encoded, 0);
        return _compare(forward, _ask(forward, encoded, abi.encodeWithSignature("addr(bytes32)", _namehash(encoded, 0))));
    }

    function _compare(Lookup memory lookup, bytes memory result) private pure returns (string memory, address, address) {
        address account = abi.decode(result, (address));
        if (account != lookup.account) revert ReverseAddressMismatch(lookup.name, abi.encodePacked(account));
        return (lookup.name, lookup.resolver, address(0));
    }

    /// Calls a resolver, and a server through the client's gateway if the resolver refers to a
    /// server.
    function _ask(Lookup memory lookup, bytes memory name, bytes memory data) private view returns (bytes memory) {
        if (lookup.resolver == address(0)) revert ResolverNotFound(name);
        bool extended = IExtended(lookup.resolver).supportsInterface(0x9061b923);
        (bool done, bytes memory returned) =
            lookup.resolver.staticcall(extended ? abi.encodeCall(IExtended.resolve, (name, data)) : data);
        if (done) return extended ? abi.decode(returned, (bytes)) : returned;
        if (bytes4(returned) != OffchainLookup.selector) revert ResolverError(returned);
        IBatchGateway.Request[] memory requests = new IBatchGateway.Request[](1);
        (requests[0], lookup.callback, lookup.extraData) = _parseLookup(returned);
        revert OffchainLookup(
            address(this),
            lookup.gateways,
            abi.encodeCall(IBatchGateway.query, (requests)),
            this.proceed.selector,
            abi.encode(lookup)
        );
    }

    function _parseLookup(bytes memory reverted) private pure returns (IBatchGateway.Request memory request, bytes4, bytes memory) {
        bytes memory arguments = new bytes(reverted.length - 4);
        for (uint256 i = 0; i < arguments.length; i++) arguments[i] = reverted[i + 4];
        bytes4 callback;
        bytes memory extraData;
        (request.sender, request.urls, request.data, callback, extraData) =
            abi.decode(arguments, (address, string[], bytes, bytes4, bytes));
        return (request, callback, extraData);
    }

    /// The resolver of the name, or of its nearest parent that has a resolver.
    function _find(bytes memory name, uint256 offset) private view returns (address resolver, uint256) {
        resolver = _registry.resolver(_namehash(name, offset));
        if (resolver != address(0) || uint8(name[offset]) == 0) return (resolver, offset);
        return _find(name, offset + 1 + uint8(name[offset]));
    }

    function _namehash(bytes memory name, uint256 offset) private pure returns (bytes32) {
        uint256 length = uint8(name[offset]);
        if (length == 0) return 0;
        bytes32 label;
        assembly {
            label := keccak256(add(add(name, 33), offset), length)
        }
        return keccak256(abi.encodePacked(_namehash(name, offset + 1 + length), label));
    }

    /// A name with dots in the form of DNS.
    function _encodeName(string memory text) private pure returns (bytes memory name) {
        bytes memory dots = bytes(text);
        name = new bytes(dots.length + 2);
        uint256 start = 0;
        for (uint256 i = 0; i <= dots.length; i++) {
            if (i < dots.length && dots[i] != ".") {
                name[i + 1] = dots[i];
                continue;
            }
            name[start] = bytes1(uint8(i - start));
            start = i + 1;
        }
    }

    function _reverseName(address account) private pure returns (bytes memory) {
        bytes memory hexits = "0123456789abcdef";
        bytes memory label = new bytes(40);
        for (uint256 i = 0; i < 20; i++) {
            uint8 byteAt = uint8(bytes20(account)[i]);
            label[2 * i] = hexits[byteAt >> 4];
            label[2 * i + 1] = hexits[byteAt & 15];
        }
        return abi.encodePacked(uint8(40), label, uint8(4), "addr", uint8(7), "reverse", uint8(0));
    }
}

// SPDX-License-Identifier: MIT
pragma solidity ^0.8.24;

/// A resolver for all names below its own (ENSIP-10) that reads its records from a web server
/// (EIP-3668) without verifying them.
contract DevOffchain {
    string[] private _urls;

    error OffchainLookup(address sender, string[] urls, bytes callData, bytes4 callbackFunction, bytes extraData);

    constructor(string[] memory urls) {
        _urls = urls;
    }

    function resolve(bytes calldata name, bytes calldata data) external view returns (bytes memory) {
        revert OffchainLookup(address(this), _urls, abi.encode(name, data), this.answer.selector, name);
    }

    /// `response` is the web server's response, `extraData` the name.
    function answer(bytes calldata response, bytes calldata) external pure returns (bytes memory) {
        return response;
    }

    function supportsInterface(bytes4 id) external pure returns (bool) {
        return id == 0x01ffc9a7 || id == 0x9061b923;
    }
}
